/* core/base: the growing buffer with allocators that fail, loads and stores at every alignment, checked
 * sizes, limits. */
#include "base/buffer.h"
#include "base/limits.h"

#include "guarded_memory.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* Counts what is asked of it, checks that sizes are told truly, and fails when `left` is used up. */
typedef struct counting {
    size_t held;  /* bytes that callers have */
    size_t calls; /* that asked for memory */
    size_t left;  /* allocations before the first failure */
} counting;

static void *counted(void *context, void *block, size_t old_size, size_t new_size)
{
    counting *memory = context;
    assert_true(block != NULL || old_size == 0);
    assert_true(memory->held >= old_size);
    if (new_size == 0) {
        memory->held -= old_size;
        free(block);
        return NULL;
    }
    memory->calls++;
    if (memory->left == 0) {
        return NULL;
    }
    memory->left--;
    uint8_t *moved = malloc(new_size);
    assert_non_null(moved);
    memset(moved, 0xA5, new_size);
    if (block != NULL) {
        memcpy(moved, block, old_size < new_size ? old_size : new_size);
        free(block);
    }
    memory->held = memory->held - old_size + new_size;
    return moved;
}

static void test_an_empty_buffer_allocates_nothing(void **state)
{
    (void)state;
    counting memory = {.left = SIZE_MAX};
    ph_allocator allocator = {counted, &memory};
    ph_buffer buffer;
    ph_buffer_init(&buffer, &allocator);
    assert_int_equal(ph_buffer_length(&buffer), 0);
    assert_int_equal(ph_buffer_room(&buffer), 0);
    assert_true(ph_buffer_ensure(&buffer, 0));
    assert_true(ph_buffer_append(&buffer, NULL, 0));
    ph_buffer_clear(&buffer);
    ph_buffer_clear(&buffer);
    assert_int_equal(memory.calls, 0);
}

static void test_growth(void **state)
{
    (void)state;
    counting memory = {.left = SIZE_MAX};
    ph_allocator allocator = {counted, &memory};
    ph_buffer buffer;
    ph_buffer_init(&buffer, &allocator);
    for (size_t i = 0; i < 100000; i++) {
        uint8_t byte = (uint8_t)(i * 7);
        assert_true(ph_buffer_append(&buffer, &byte, 1));
    }
    assert_int_equal(ph_buffer_length(&buffer), 100000);
    for (size_t i = 0; i < 100000; i++) {
        assert_int_equal(buffer.start[i], (uint8_t)(i * 7));
    }
    assert_in_range(memory.calls, 1, 20); /* by half each time: logarithmic */
    assert_int_equal(memory.held, ph_buffer_length(&buffer) + ph_buffer_room(&buffer));
    assert_true(ph_buffer_grow(&buffer, 1000000));
    assert_true(ph_buffer_room(&buffer) >= 1000000);
    assert_int_equal(ph_buffer_length(&buffer), 100000);
    ph_buffer_clear(&buffer);
    assert_int_equal(memory.held, 0);
    assert_true(ph_buffer_append(&buffer, "again", 5));
    assert_memory_equal(buffer.start, "again", 5);
    ph_buffer_clear(&buffer);
    assert_int_equal(memory.held, 0);
}

static void test_sizes_that_do_not_fit(void **state)
{
    (void)state;
    counting memory = {.left = SIZE_MAX};
    ph_allocator allocator = {counted, &memory};
    ph_buffer buffer;
    ph_buffer_init(&buffer, &allocator);
    assert_true(ph_buffer_append(&buffer, "abc", 3));
    size_t calls = memory.calls;
    for (size_t less = 0; less < 3; less++) {
        assert_false(ph_buffer_grow(&buffer, SIZE_MAX - less));
        assert_false(ph_buffer_ensure(&buffer, SIZE_MAX - less));
    }
    assert_int_equal(memory.calls,
                     calls); /* the allocator was never asked for a sum that wrapped */
    assert_int_equal(ph_buffer_length(&buffer), 3);
    assert_memory_equal(buffer.start, "abc", 3);
    ph_buffer_clear(&buffer);
    assert_int_equal(memory.held, 0);
}

/* Fails at the Nth allocation for every N; what was written before stays and can be added to. */
static void test_every_allocation_fails_once(void **state)
{
    (void)state;
    static const char piece[] = "seventeen letters";
    for (size_t allowed = 0;; allowed++) {
        counting memory = {.left = allowed};
        ph_allocator allocator = {counted, &memory};
        ph_buffer buffer;
        ph_buffer_init(&buffer, &allocator);
        size_t pieces = 0;
        while (pieces < 1000 && ph_buffer_append(&buffer, piece, 17)) {
            pieces++;
        }
        assert_int_equal(ph_buffer_length(&buffer), pieces * 17);
        for (size_t i = 0; i < pieces; i++) {
            assert_memory_equal(buffer.start + i * 17, piece, 17);
        }
        bool complete = pieces == 1000;
        memory.left = 1;
        assert_true(ph_buffer_append(&buffer, piece, 17));
        assert_int_equal(ph_buffer_length(&buffer), (pieces + 1) * 17);
        ph_buffer_clear(&buffer);
        assert_int_equal(memory.held, 0);
        if (complete) {
            assert_in_range(allowed, 3, 30);
            return;
        }
    }
}

static void test_allocate_and_release(void **state)
{
    (void)state;
    counting memory = {.left = 2};
    ph_allocator allocator = {counted, &memory};
    uint8_t *block = ph_allocate(&allocator, 10);
    assert_non_null(block);
    memset(block, 1, 10);
    block = ph_reallocate(&allocator, block, 10, 20);
    assert_non_null(block);
    assert_int_equal(block[9], 1);
    assert_null(ph_reallocate(&allocator, block, 20, 40)); /* the block stays as it is */
    assert_int_equal(block[9], 1);
    assert_int_equal(memory.held, 20);
    ph_release(&allocator, block, 20);
    ph_release(&allocator, NULL, 0);
    assert_int_equal(memory.held, 0);
}

/* At every offset within a word, the last byte being the last before memory that nobody may touch. */
static void test_loads_and_stores_at_every_alignment(void **state)
{
    (void)state;
    guarded_memory memory = guarded_memory_new(64);
    for (size_t behind = 0; behind < 16; behind++) {
        for (size_t size = 2; size <= 8; size *= 2) {
            uint8_t *at = memory.end - behind - size;
            for (size_t i = 0; i < size; i++) {
                at[i] = (uint8_t)(0x81 + i * 0x11);
            }
            uint64_t big = UINT64_C(0x8192a3b4c5d6e7f8) >> (64 - 8 * size);
            uint64_t loaded = size == 2   ? ph_load_big16(at)
                              : size == 4 ? ph_load_big32(at)
                                          : ph_load_big64(at);
            assert_true(loaded == big);
            uint64_t native = 0;
            memcpy(&native, at, size);
            if (size == 4) {
                assert_int_equal(ph_load_native32(at), (uint32_t)native);
            } else if (size == 8) {
                assert_true(ph_load_native64(at) == native);
            }
            memset(at, 0, size);
            size == 2   ? ph_store_big16(at, (uint16_t)big)
            : size == 4 ? ph_store_big32(at, (uint32_t)big)
                        : ph_store_big64(at, big);
            for (size_t i = 0; i < size; i++) {
                assert_int_equal(at[i], 0x81 + i * 0x11);
            }
        }
    }
    guarded_memory_free(&memory);
}

static void test_short_copies_are_exact(void **state)
{
    (void)state;
    guarded_memory source = guarded_memory_new(PH_COPY_SHORT_MAX);
    guarded_memory target = guarded_memory_new(PH_COPY_SHORT_MAX + 1);
    uint8_t bytes[PH_COPY_SHORT_MAX];
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)(i + 1);
    }
    for (size_t size = 0; size <= PH_COPY_SHORT_MAX; size++) {
        const uint8_t *from = guarded_memory_copy(&source, bytes, size);
        uint8_t *to = target.end - size;
        to[-1] = 0xA5;
        ph_copy_exact_short(to, from, size);
        assert_memory_equal(to, bytes, size);
        assert_int_equal(to[-1], 0xA5);
    }
    guarded_memory_free(&source);
    guarded_memory_free(&target);
}

static void test_bit_casts(void **state)
{
    (void)state;
    assert_true(ph_bits_from_double(1.0) == UINT64_C(0x3ff0000000000000));
    assert_true(ph_bits_from_double(-0.0) == UINT64_C(1) << 63);
    assert_int_equal(ph_bits_from_float(1.0f), 0x3f800000);
    assert_true(ph_double_from_bits(UINT64_C(0xc004000000000000)) == -2.5);
    assert_true(ph_float_from_bits(0xc0200000) == -2.5f);
    /* A NaN keeps its payload. */
    uint64_t payload = UINT64_C(0x7ff8000000001234);
    assert_true(ph_bits_from_double(ph_double_from_bits(payload)) == payload);
}

static void test_checked_sizes(void **state)
{
    (void)state;
    static const size_t numbers[] = {0,
                                     1,
                                     2,
                                     3,
                                     SIZE_MAX / 3,
                                     SIZE_MAX / 2,
                                     SIZE_MAX - 1,
                                     SIZE_MAX,
                                     (size_t)1 << (sizeof(size_t) * 4)};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
            size_t a = numbers[i], b = numbers[k], result = 0;
            bool fits = b <= SIZE_MAX - a;
            assert_int_equal(ph_size_add(a, b, &result), fits);
            assert_true(!fits || (result - a == b && result >= a));
            fits = a == 0 || b <= SIZE_MAX / a;
            assert_int_equal(ph_size_multiply(a, b, &result), fits);
            assert_true(!fits || (a == 0 ? result == 0 : result / a == b && result % a == 0));
        }
    }
    uint8_t bytes[4];
    assert_int_equal(ph_left(bytes, bytes), 0);
    assert_int_equal(ph_left(bytes + 1, bytes + 4), 3);
}

static void test_default_limits(void **state)
{
    (void)state;
    ph_limits limits = ph_limits_default();
    assert_int_equal(limits.depth, 1024);
    assert_int_equal(limits.buffered_bytes, 100 * 1024 * 1024);
    assert_true(limits.string_bytes == PH_NO_LIMIT && limits.binary_bytes == PH_NO_LIMIT &&
                limits.array_elements == PH_NO_LIMIT && limits.map_entries == PH_NO_LIMIT &&
                limits.ext_bytes == PH_NO_LIMIT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_empty_buffer_allocates_nothing),
        cmocka_unit_test(test_growth),
        cmocka_unit_test(test_sizes_that_do_not_fit),
        cmocka_unit_test(test_every_allocation_fails_once),
        cmocka_unit_test(test_allocate_and_release),
        cmocka_unit_test(test_loads_and_stores_at_every_alignment),
        cmocka_unit_test(test_short_copies_are_exact),
        cmocka_unit_test(test_bit_casts),
        cmocka_unit_test(test_checked_sizes),
        cmocka_unit_test(test_default_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
