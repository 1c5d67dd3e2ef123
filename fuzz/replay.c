/* A main for the targets without a fuzzer: runs each file named, or each file of a folder named. */
#include "fuzz_input.h"

#include <dirent.h>
#include <string.h>

static size_t replayed;

static void replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        exit(2);
    }
    size_t size = 0, room = 4096;
    uint8_t *bytes = malloc(room);
    for (;;) {
        FUZZ_CHECK(bytes != NULL);
        size_t got = fread(bytes + size, 1, room - size, file);
        size += got;
        if (got == 0) {
            break;
        }
        if (size == room) {
            room *= 2;
            bytes = realloc(bytes, room);
        }
    }
    fclose(file);
    LLVMFuzzerTestOneInput(bytes, size);
    free(bytes);
    replayed++;
}

static void replay(const char *path)
{
    DIR *folder = opendir(path);
    if (folder == NULL) {
        replay_file(path);
        return;
    }
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        if (entry->d_name[0] != '.') {
            char name[4096];
            int length = snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
            FUZZ_CHECK(length > 0 && (size_t)length < sizeof name);
            replay_file(name);
        }
    }
    closedir(folder);
}

int LLVMFuzzerInitialize(int *count, char ***arguments) __attribute__((weak));

int main(int count, char **arguments)
{
    if (LLVMFuzzerInitialize != NULL) {
        LLVMFuzzerInitialize(&count, &arguments);
    }
    for (int i = 1; i < count; i++) {
        replay(arguments[i]);
    }
    printf("%zu inputs\n", replayed);
    return replayed == 0;
}
