/* The awaitable of the next object: takes what has arrived, awaits the source for more, and so on. */
#include "stream/next_object.h"

#include "stream/unpacker_object.h"

typedef struct next_object {
    PyObject_HEAD
    ph_unpacker *unpacker; /* owned, the same from creation on */
    PyObject *waiting;     /* owned: the iterator of what is being awaited; NULL: nothing is */
    bool done;
    bool running; /* a method is, perhaps in user code: no other may begin */
} next_object;

PyObject *ph_next_object_new(PyObject *unpacker)
{
    PyTypeObject *type = ((ph_unpacker *)unpacker)->state->next_object_type;
    next_object *self = (next_object *)type->tp_alloc(type, 0);
    if (self != NULL) {
        self->unpacker = (ph_unpacker *)Py_NewRef(unpacker);
    }
    return (PyObject *)self;
}

/* --- the source --- */

static unaryfunc await_slot(PyObject *object)
{
    PyAsyncMethods *methods = Py_TYPE(object)->tp_as_async;
    return methods == NULL ? NULL : methods->am_await;
}

/* The iterator of a source that has no read(), made when it is first needed. A new reference. */
static PyObject *source_iterator(ph_source *source)
{
    if (source->iterator == NULL) {
        PyObject *file = Py_NewRef(source->file);
        PyAsyncMethods *methods = Py_TYPE(file)->tp_as_async;
        PyObject *iterator = NULL;
        if (methods != NULL && methods->am_aiter != NULL) {
            iterator = methods->am_aiter(file);
        } else { /* it had the slot when it was given to __init__ */
            PyErr_Format(PyExc_TypeError, "'%.200s' object is not an asynchronous iterable",
                         Py_TYPE(file)->tp_name);
        }
        Py_DECREF(file);
        if (iterator == NULL) {
            return NULL;
        }
        Py_XSETREF(source->iterator, iterator);
    }
    return Py_NewRef(source->iterator);
}

/* Asks the source for more. What it answers, usually an awaitable, or NULL with an exception set. */
static PyObject *ask_source(ph_unpacker *unpacker)
{
    Py_ssize_t room = ph_unpacker_room(unpacker);
    if (room < 0) {
        return NULL;
    }
    if (unpacker->source.read != NULL) {
        PyObject *read = Py_NewRef(unpacker->source.read);
        PyObject *answer = PyObject_CallFunction(read, "n", room);
        Py_DECREF(read);
        return answer;
    }
    PyObject *iterator = source_iterator(&unpacker->source);
    if (iterator == NULL) {
        return NULL;
    }
    PyAsyncMethods *methods = Py_TYPE(iterator)->tp_as_async;
    PyObject *answer = NULL;
    if (methods != NULL && methods->am_anext != NULL) {
        answer = methods->am_anext(iterator);
    } else {
        PyErr_Format(PyExc_TypeError, "'%.200s' object is not an asynchronous iterator",
                     Py_TYPE(iterator)->tp_name);
    }
    Py_DECREF(iterator);
    return answer;
}

/* What the source gave at last (taken over). An empty read ends a file for good, an empty piece of
 * an iterable is just empty. The Unpacker is busy until the bytes are in its buffer: user code runs
 * before that, and another thread that took a value meanwhile would move them. 0, or -1 with an
 * exception set. */
static int accept(ph_unpacker *unpacker, PyObject *data)
{
    int truth = unpacker->source.read != NULL ? PyObject_IsTrue(data) : 1;
    PyObject *bytes = truth > 0 ? ph_input_bytes(data) : NULL;
    if (truth == 0) {
        ph_source_clear(&unpacker->source);
    }
    Py_DECREF(data);
    unpacker->busy = false;
    if (bytes == NULL) {
        return truth == 0 ? 0 : -1;
    }
    int status = ph_unpacker_receive(unpacker, bytes);
    Py_DECREF(bytes);
    return status;
}

/* An exception came out of the source. 0 when it only says that an iterable has ended. */
static int accept_exception(ph_unpacker *unpacker)
{
    int status = -1;
    if (unpacker->source.read == NULL && PyErr_ExceptionMatches(PyExc_StopAsyncIteration)) {
        PyErr_Clear();
        ph_source_clear(&unpacker->source);
        status = 0;
    }
    unpacker->busy = false;
    return status;
}

/* --- the steps; the Unpacker is busy while the source is asked and something is awaited --- */

static void stop_waiting(next_object *self)
{
    if (self->waiting != NULL) {
        self->unpacker->busy = false;
        Py_CLEAR(self->waiting);
    }
}

/* Begins to wait for more bytes; a source that is synchronous has given them already. 0 or -1. */
static int start_waiting(next_object *self)
{
    ph_unpacker *unpacker = self->unpacker;
    unpacker->busy = true;
    PyObject *answer = ask_source(unpacker);
    if (answer == NULL) {
        return accept_exception(unpacker);
    }
    if (!PyCoro_CheckExact(answer)) {
        unaryfunc await = await_slot(answer);
        if (await == NULL) {
            return accept(unpacker, answer);
        }
        Py_SETREF(answer, await(answer));
        if (answer == NULL) {
            unpacker->busy = false;
            return -1;
        }
    }
    self->waiting = answer;
    return 0;
}

/* The next value among the bytes that are there; NULL without an exception if there is none. */
static PyObject *take_arrived(ph_unpacker *unpacker)
{
    unpacker->arrived_only = true;
    PyObject *value = ph_unpacker_take_value(unpacker);
    unpacker->arrived_only = false;
    return value;
}

static void raise_end(const ph_unpacker *unpacker)
{
    if (unpacker->pending == PH_TAKING_NOTHING) {
        PyErr_SetNone(PyExc_StopAsyncIteration);
    } else {
        PyErr_SetString(unpacker->state->class.out_of_data, "the source ended inside an object");
    }
}

/* Goes on until an object is there, or the source wants to wait. `sent` is borrowed. */
static PySendResult advance(next_object *self, PyObject *sent, PyObject **result)
{
    ph_unpacker *unpacker = self->unpacker;
    for (;;) {
        if (self->waiting == NULL) {
            PyObject *value = take_arrived(unpacker);
            if (value != NULL) {
                *result = value;
                return PYGEN_RETURN;
            }
            if (PyErr_Occurred()) {
                return PYGEN_ERROR;
            }
            if (unpacker->source.file == NULL) {
                raise_end(unpacker);
                return PYGEN_ERROR;
            }
            if (start_waiting(self) < 0) {
                return PYGEN_ERROR;
            }
            sent = Py_None;
            continue;
        }
        PyObject *waiting = Py_NewRef(self->waiting);
        PySendResult sending = PyIter_Send(waiting, sent, result);
        Py_DECREF(waiting);
        if (sending == PYGEN_NEXT) {
            return PYGEN_NEXT;
        }
        Py_CLEAR(self->waiting);
        int accepted =
            sending == PYGEN_RETURN ? accept(unpacker, *result) : accept_exception(unpacker);
        if (accepted < 0) {
            return PYGEN_ERROR;
        }
    }
}

/* False with ValueError set while a method runs, as with coroutines. */
static bool may_run(const next_object *self)
{
    if (self->running) {
        PyErr_SetString(PyExc_ValueError, "__anext__() is already executing");
    }
    return !self->running;
}

static PySendResult next_object_send(PyObject *object, PyObject *sent, PyObject **result)
{
    next_object *self = (next_object *)object;
    PySendResult sending;
    *result = NULL;
    Py_BEGIN_CRITICAL_SECTION2(object, (PyObject *)self->unpacker);
    if (self->done) {
        PyErr_SetString(PyExc_RuntimeError, "cannot reuse already awaited __anext__()");
        sending = PYGEN_ERROR;
    } else if (!may_run(self)) {
        sending = PYGEN_ERROR;
    } else {
        self->running = true;
        sending = advance(self, sent, result);
        self->running = false;
        self->done = sending != PYGEN_NEXT;
    }
    Py_END_CRITICAL_SECTION2();
    return sending;
}

/* A result of sending in the form of methods that return values and raise StopIteration. */
static PyObject *deliver(PySendResult sending, PyObject *result)
{
    if (sending == PYGEN_RETURN) {
        PyObject *stop = PyObject_CallOneArg(PyExc_StopIteration, result);
        Py_CLEAR(result);
        if (stop != NULL) {
            PyErr_SetObject(PyExc_StopIteration, stop);
            Py_DECREF(stop);
        }
    }
    return sending == PYGEN_NEXT ? result : NULL;
}

static PyObject *next_object_iternext(PyObject *object)
{
    PyObject *result;
    PySendResult sending = next_object_send(object, Py_None, &result);
    return deliver(sending, result);
}

static PyObject *next_object_send_method(PyObject *object, PyObject *sent)
{
    PyObject *result;
    PySendResult sending = next_object_send(object, sent, &result);
    return deliver(sending, result);
}

/* Raises what throw() was given: an exception, or a class and perhaps a value. */
static void raise_thrown(PyObject *const *arguments, Py_ssize_t count)
{
    if (count > 0 && PyExceptionInstance_Check(arguments[0])) {
        PyErr_SetObject((PyObject *)Py_TYPE(arguments[0]), arguments[0]);
    } else if (count > 0 && PyExceptionClass_Check(arguments[0])) {
        PyErr_SetObject(arguments[0], count > 1 ? arguments[1] : Py_None);
    } else {
        PyErr_SetString(PyExc_TypeError, "throw() needs an exception");
    }
}

/* The value of the StopIteration that is set, which is cleared; NULL for any other exception. */
static PyObject *take_stop_value(void)
{
    if (!PyErr_ExceptionMatches(PyExc_StopIteration)) {
        return NULL;
    }
    PyObject *type, *stop, *traceback;
    PyErr_Fetch(&type, &stop, &traceback);
    PyErr_NormalizeException(&type, &stop, &traceback);
    PyObject *value = PyObject_GetAttrString(stop, "value");
    Py_XDECREF(type);
    Py_XDECREF(stop);
    Py_XDECREF(traceback);
    return value;
}

static PySendResult throw_into(next_object *self, PyObject *const *arguments, Py_ssize_t count,
                               PyObject **result)
{
    if (self->waiting == NULL) {
        raise_thrown(arguments, count);
        return PYGEN_ERROR;
    }
    PyObject *waiting = Py_NewRef(self->waiting);
    PyObject *throw = PyObject_GetAttrString(waiting, "throw");
    if (throw == NULL && PyErr_ExceptionMatches(PyExc_AttributeError)) {
        /* An iterator that takes no exceptions: it is raised here, where the iterator is awaited. */
        PyErr_Clear();
        Py_DECREF(waiting);
        stop_waiting(self);
        raise_thrown(arguments, count);
        return PYGEN_ERROR;
    }
    *result = throw == NULL ? NULL : PyObject_Vectorcall(throw, arguments, (size_t)count, NULL);
    Py_XDECREF(throw);
    Py_DECREF(waiting);
    if (*result != NULL) {
        return PYGEN_NEXT;
    }
    PyObject *value = take_stop_value();
    Py_CLEAR(self->waiting);
    int accepted = value != NULL ? accept(self->unpacker, value) : accept_exception(self->unpacker);
    return accepted < 0 ? PYGEN_ERROR : advance(self, Py_None, result);
}

static PyObject *next_object_throw(PyObject *object, PyObject *const *arguments, Py_ssize_t count)
{
    next_object *self = (next_object *)object;
    PyObject *result = NULL;
    PySendResult sending = PYGEN_ERROR;
    Py_BEGIN_CRITICAL_SECTION2(object, (PyObject *)self->unpacker);
    if (may_run(self)) {
        self->running = true;
        sending = throw_into(self, arguments, count, &result);
        self->running = false;
        self->done = sending != PYGEN_NEXT;
    }
    Py_END_CRITICAL_SECTION2();
    return deliver(sending, result);
}

/* Gives up what is being awaited. A new reference to what its close() returns, or to None. */
static PyObject *close_waiting(next_object *self)
{
    PyObject *waiting = Py_XNewRef(self->waiting);
    PyObject *closed = Py_NewRef(Py_None);
    stop_waiting(self);
    if (waiting != NULL && PyObject_HasAttrString(waiting, "close")) {
        Py_SETREF(closed, PyObject_CallMethod(waiting, "close", NULL));
    }
    Py_XDECREF(waiting);
    self->done = true;
    return closed;
}

static PyObject *next_object_close(PyObject *object, PyObject *Py_UNUSED(ignored))
{
    next_object *self = (next_object *)object;
    PyObject *closed;
    Py_BEGIN_CRITICAL_SECTION2(object, (PyObject *)self->unpacker);
    closed = may_run(self) ? close_waiting(self) : NULL;
    Py_END_CRITICAL_SECTION2();
    return closed;
}

/* --- life --- */

static int next_object_traverse(PyObject *object, visitproc visit, void *arg)
{
    next_object *self = (next_object *)object;
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(self->unpacker);
    Py_VISIT(self->waiting);
    return 0;
}

/* Keeps the unpacker, which every method relies on: cycles are broken at what is awaited, or by the
 * unpacker's own tp_clear. */
static int next_object_clear(PyObject *object)
{
    stop_waiting((next_object *)object);
    return 0;
}

static void next_object_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    PyObject_GC_UnTrack(object);
    next_object_clear(object);
    Py_CLEAR(((next_object *)object)->unpacker);
    type->tp_free(object);
    Py_DECREF(type);
}

static PyMethodDef next_object_methods[] = {
    {"send", next_object_send_method, METH_O, NULL},
    {"throw", (PyCFunction)(void (*)(void))next_object_throw, METH_FASTCALL, NULL},
    {"close", next_object_close, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot next_object_slots[] = {
    {Py_tp_dealloc, (void *)next_object_dealloc},
    {Py_tp_traverse, (void *)next_object_traverse},
    {Py_tp_clear, (void *)next_object_clear},
    {Py_tp_iter, (void *)PyObject_SelfIter},
    {Py_tp_iternext, (void *)next_object_iternext},
    {Py_tp_methods, next_object_methods},
    {Py_am_await, (void *)PyObject_SelfIter},
    {Py_am_send, (void *)next_object_send},
    {0, NULL},
};

static PyType_Spec next_object_spec = {
    .name = "packhorse._core.NextObject",
    .basicsize = sizeof(next_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = next_object_slots,
};

PyTypeObject *ph_next_object_type_new(PyObject *module)
{
    return (PyTypeObject *)PyType_FromModuleAndSpec(module, &next_object_spec, NULL);
}
