/* Names, classes and texts of the error codes, expanded from the list in error.h. */
#include "base/error.h"

static const char *const error_messages[PH_ERROR_COUNT] = {
#define PH_ERROR_TEXT(name, class_name, message) message,
    PH_ERROR_CODES(PH_ERROR_TEXT)
#undef PH_ERROR_TEXT
};

static const char *const error_names[PH_ERROR_COUNT] = {
#define PH_ERROR_NAME(name, class_name, message) #name,
    PH_ERROR_CODES(PH_ERROR_NAME)
#undef PH_ERROR_NAME
};

static const ph_error_class error_classes[PH_ERROR_COUNT] = {
#define PH_ERROR_CLASS(name, class_name, message) PH_CLASS_##class_name,
    PH_ERROR_CODES(PH_ERROR_CLASS)
#undef PH_ERROR_CLASS
};

static bool is_known(ph_error_code code)
{
    return (unsigned)code < (unsigned)PH_ERROR_COUNT;
}

const char *ph_error_message(ph_error_code code)
{
    return is_known(code) ? error_messages[code] : "unknown error";
}

const char *ph_error_name(ph_error_code code)
{
    return is_known(code) ? error_names[code] : "UNKNOWN";
}

ph_error_class ph_error_class_of(ph_error_code code)
{
    return is_known(code) ? error_classes[code] : PH_CLASS_NONE;
}
