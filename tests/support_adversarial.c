/* Instances of the adversarial families.  See support_adversarial.h. */
#include "tests/support_adversarial.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/support_generate.h"
#include "tests/support_solve.h"

void adversarial_spec(const adversarial *x, char spec[ADVERSARIAL_SPEC_BYTES])
{
    static const char *const format[] = {
        [LADDER] = "adversarial-ladder:rungs=%" PRIu64 ",big=%" PRIu64 ",small=%" PRIu64
                   ",excess=%" PRIu64 "%s%s",
        [FAN] = "adversarial-fan:rungs=%" PRIu64 ",big=%" PRIu64 ",small=%" PRIu64
                ",excess=%" PRIu64 "%s%s",
        [PAIRS] = "adversarial-pairs:rungs=%" PRIu64 ",big=%" PRIu64 ",small=%" PRIu64
                  ",excess=%" PRIu64 "%s%s",
        [BRANCHES] = "adversarial-branches:branches=%" PRIu64 ",rise=%" PRIu64 ",small=%" PRIu64
                     ",block=%" PRIu64 "%s%s",
        [HARPOON] = "adversarial-harpoon:levels=%" PRIu64 ",large=%" PRIu64 ",thin=%" PRIu64
                    ",branches=%" PRIu64 "%s%s"};
    (void)snprintf(spec, ADVERSARIAL_SPEC_BYTES, format[x->kind], x->size, x->big, x->small,
                   x->more,
                   !x->loose        ? ""
                   : x->kind == FAN ? ",kept=no"
                                    : ",loose=yes",
                   x->settings);
}

static bool has(const adversarial *x, const char *setting)
{
    return strstr(x->settings, setting) != NULL;
}

/* Of pairs: "depth=1" .. "depth=9"; 1 unless given. */
static uint64_t depth_of(const char *settings)
{
    const char *depth = strstr(settings, "depth=");
    return depth ? (uint64_t)(depth[strlen("depth=")] - '0') : 1;
}

static hw_ladder ladder_of(const adversarial *x)
{
    return (hw_ladder){x->size, x->big, x->small, x->more, x->loose, has(x, "hang=gate")};
}

uint64_t adversarial_optimum(const adversarial *x, hw_accounting a)
{
    const hw_ladder l = ladder_of(x);
    const hw_branches b = {x->size, x->big, x->more, x->small};
    const hw_harpoon h = {x->size, x->more, x->big, x->small};
    return x->kind == LADDER     ? hw_ladder_optimum(&l, a)
           : has(x, "spike")     ? hw_spiked_optimum(&l)
           : x->kind == PAIRS    ? hw_pairs_optimum(&l, depth_of(x->settings), a)
           : has(x, "lean")      ? hw_lean_fan_optimum(&l, a)
           : x->kind == FAN      ? hw_adversarial_fan_optimum(&l, a)
           : x->kind == BRANCHES ? hw_branches_optimum(&b, a)
                                 : hw_harpoon_optimum(&h, a);
}

uint64_t adversarial_peak(const adversarial *x, uint64_t lost, hw_accounting a)
{
    const hw_ladder l = ladder_of(x);
    const hw_branches b = {x->size, x->big, x->more, x->small};
    const hw_harpoon h = {x->size, x->more, x->big, x->small};
    return x->kind == LADDER     ? hw_ladder_peak(&l, x->size - lost, a)
           : has(x, "spike")     ? hw_spiked_peak(&l)
           : x->kind == PAIRS    ? hw_pairs_peak(&l, depth_of(x->settings), a)
           : has(x, "lean")      ? hw_lean_fan_peak(&l, a)
           : x->kind == FAN      ? hw_adversarial_fan_peak(&l, a)
           : x->kind == BRANCHES ? hw_branches_peak(&b, a)
                                 : hw_harpoon_peak(&h, a);
}

hw_model *adversarial_model(const adversarial *x, hw_accounting a, hw_graph **g)
{
    char spec[ADVERSARIAL_SPEC_BYTES];
    adversarial_spec(x, spec);
    *g = test_instance(spec, 0);
    return test_model(*g, a, false);
}

uint64_t adversarial_rule_peak(const hw_model *m, const char *rule)
{
    hw_answer answer = test_solve(m, rule);
    uint64_t peak = answer.peak;
    assert_true(answer.has_order);
    hw_answer_clear(&answer);
    return peak;
}

uint64_t adversarial_solved(const hw_model *m, const char *solver)
{
    hw_answer answer = test_solve(m, solver);
    uint64_t peak = answer.peak;
    assert_int_equal(answer.status, HW_OPTIMAL);
    hw_answer_clear(&answer);
    return peak;
}

adversarial adversarial_of_nodes(adversarial_kind kind, const char *settings, bool loose,
                                 uint64_t n)
{
    adversarial x = {kind, n / 2, 1000000, 1, 1, loose, settings};
    if (kind == LADDER && strstr(settings, "both"))
        x.size = n / 4;
    if (kind == PAIRS)
        x.size = (n + 1 + loose + has(&x, "spike") - depth_of(settings)) / 3;
    if (kind == FAN) {
        x.size = has(&x, "lean") ? n / 2 : (n - 3) / 2;
        x.big = 1000000000;
        x.more = x.size;
    }
    if (kind == BRANCHES) {
        x.size = (n - 1) / 3;
        x.more = x.big = 1000000000;
    }
    if (kind == HARPOON) {
        x.more = 2; /* branches: n = 5 * 2^levels - 3 */
        for (x.size = 0; (UINT64_C(5) << (x.size + 1)) - 3 <= n;)
            x.size++;
    }
    return x;
}

uint64_t adversarial_proven(const hw_model *m, const adversarial *x)
{
    return x->kind != BRANCHES && x->kind != HARPOON ? m->simple_bound
                                                     : adversarial_solved(m, "liu");
}
