/* How deep the C stack of a thread may still become. */
#ifndef PH_PYTHON_STACK_ROOM_H
#define PH_PYTHON_STACK_ROOM_H

#include "cpython.h"

/* Bytes of stack that are kept for whatever is called at the deepest level: hooks, exceptions, and a
 * collection, which frees nested objects fifty levels at a time. */
#define PH_STACK_RESERVE 40960

/* The text of the RecursionError. */
#define PH_STACK_TOO_SMALL "the stack of this thread is too small"

/* The address below which no further level may begin on the stack of the calling thread; 0 when that
 * can not be told: an unknown system, or code that runs on a stack of its own. The first call of a
 * thread takes microseconds on the main thread of Linux, whose stack is described by a file. */
uintptr_t ph_stack_floor(void);

/* Whether user code may be called, which may call this library in turn; false with RecursionError set
 * when the stack of the thread is too small for that. */
bool ph_stack_allows_call(void);

/* hook(argument), a new reference; NULL with the exception of the hook, or RecursionError as above. */
PyObject *ph_call_hook(PyObject *hook, PyObject *argument);

/* An address in the frame of the caller. */
#if defined(__GNUC__) || defined(__clang__)
# define PH_STACK_HERE() ((uintptr_t)__builtin_frame_address(0))
#else
# define PH_STACK_HERE() UINTPTR_MAX
#endif

#endif
