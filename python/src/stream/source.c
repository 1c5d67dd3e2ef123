/* Where an Unpacker's bytes come from: fed by hand, or read from a file. */
#include "stream/unpacker_object.h"

int ph_source_open(ph_module_state *state, ph_source *source, PyObject *file_like)
{
    if (file_like == Py_None) {
        return 0;
    }
    PyObject *read = PyObject_GetAttr(file_like, state->name.read);
    if (read == NULL) {
        /* An asynchronous iterable needs no read(). */
        PyAsyncMethods *async = Py_TYPE(file_like)->tp_as_async;
        if (!PyErr_ExceptionMatches(PyExc_AttributeError) || async == NULL ||
            async->am_aiter == NULL) {
            return -1;
        }
        PyErr_Clear();
    } else if (!PyCallable_Check(read)) {
        Py_DECREF(read);
        PyErr_SetString(PyExc_TypeError, "`file_like.read` must be a callable.");
        return -1;
    }
    source->file = Py_NewRef(file_like);
    source->read = read;
    return 0;
}

void ph_source_clear(ph_source *source)
{
    Py_CLEAR(source->file);
    Py_CLEAR(source->read);
    Py_CLEAR(source->iterator);
}

/* Takes over `data`. */
static PyObject *refuse_data(PyObject *data)
{
    PyAsyncMethods *async = Py_TYPE(data)->tp_as_async;
    bool awaitable = async != NULL && async->am_await != NULL;
    if (PyCoro_CheckExact(data)) {
        /* It was never started; closing it spares the user a second complaint. */
        PyObject *closed = PyObject_CallMethod(data, "close", NULL);
        if (closed == NULL) {
            PyErr_Clear();
        }
        Py_XDECREF(closed);
    }
    if (awaitable) {
        PyErr_SetString(PyExc_TypeError,
                        "read() gave an awaitable: use `async for` with this source");
    } else {
        PyErr_Format(PyExc_TypeError, "expected bytes, %.200s found", Py_TYPE(data)->tp_name);
    }
    Py_DECREF(data);
    return NULL;
}

PyObject *ph_unpacker_read(ph_unpacker *self, Py_ssize_t size)
{
    if (self->source.read == NULL) {
        PyErr_SetString(PyExc_TypeError,
                        "file_like has no read(): use `async for` with this source");
        return NULL;
    }
    PyObject *number = PyLong_FromSsize_t(size);
    if (number == NULL) {
        return NULL;
    }
    PyObject *read = Py_NewRef(self->source.read);
    PyObject *data = PyObject_CallOneArg(read, number);
    Py_DECREF(read);
    Py_DECREF(number);
    if (data == NULL || PyBytes_CheckExact(data)) {
        return data;
    }
    int truth = PyObject_IsTrue(data);
    if (truth <= 0) {
        Py_DECREF(data);
        return truth < 0 ? NULL : PyBytes_FromStringAndSize(NULL, 0);
    }
    if (!PyBytes_Check(data)) {
        return refuse_data(data);
    }
    PyObject *exact = PyBytes_FromStringAndSize(PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data));
    Py_DECREF(data);
    return exact;
}

int ph_unpacker_append(ph_unpacker *self, PyObject *bytes)
{
    size_t unread = ph_unpacker_unread(self);
    size_t allowed = (size_t)self->max_buffer_size;
    if (unread > allowed || (size_t)PyBytes_GET_SIZE(bytes) > allowed - unread) {
        PyErr_SetNone(self->state->class.buffer_full);
        return -1;
    }
    return ph_input_append(&self->input, bytes);
}

/* A read() whose result can not be used has taken bytes out of the stream for good. */
static void lose_bytes(ph_unpacker *self)
{
    self->failed = true;
    self->may_retry = false;
    self->failed_at = self->ahead;
    self->whole_size = 0;
}

int ph_unpacker_receive(ph_unpacker *self, PyObject *bytes)
{
    if (ph_unpacker_append(self, bytes) == 0) {
        return 0;
    }
    lose_bytes(self);
    return -1;
}

Py_ssize_t ph_unpacker_room(ph_unpacker *self)
{
    size_t unread = ph_unpacker_unread(self);
    if (unread >= (size_t)self->max_buffer_size) {
        PyErr_SetNone(self->state->class.buffer_full);
        return -1;
    }
    Py_ssize_t room = self->max_buffer_size - (Py_ssize_t)unread;
    return self->read_size < room ? self->read_size : room;
}

static int read_more(ph_unpacker *self)
{
    Py_ssize_t room = ph_unpacker_room(self);
    if (room < 0) {
        return -1;
    }
    PyObject *data = ph_unpacker_read(self, room);
    if (data == NULL) {
        return -1;
    }
    int status = 1;
    if (PyBytes_GET_SIZE(data) == 0) {
        ph_source_clear(&self->source);
        status = 0;
    } else if (ph_unpacker_receive(self, data) < 0) {
        status = -1;
    }
    Py_DECREF(data);
    return status;
}

int ph_unpacker_fill(ph_unpacker *self, size_t wanted)
{
    for (;;) {
        int gathered = ph_input_gather(&self->input, wanted);
        if (gathered != 0) {
            return gathered;
        }
        bool empty = ph_input_size(&self->input) == 0;
        if (self->source.file == NULL || self->arrived_only) {
            return ph_input_settle(&self->input);
        }
        int read = read_more(self);
        if (read < 0 || empty) {
            return read;
        }
        if (read == 0) {
            return ph_input_settle(&self->input);
        }
    }
}
