/// Check's suite, case and runner, with a limit that holds under the sanitizers as well.
#include "tests/support/suite.h"

#define SECONDS_A_TEST 600.0

int rp_suite_run(const char *name, const TTest *const *tests, size_t count, size_t rounds,
                 void (*tear_down)(void))
{
    Suite *suite = suite_create(name);
    TCase *tests_case = tcase_create(name);
    tcase_set_timeout(tests_case, SECONDS_A_TEST);
    tcase_add_checked_fixture(tests_case, NULL, tear_down);
    for (size_t i = 0; i < count; i++) {
        tcase_add_loop_test(tests_case, tests[i], 0, (int)rounds);
    }
    suite_add_tcase(suite, tests_case);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
