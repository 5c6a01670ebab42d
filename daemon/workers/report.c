/// Memory of reports.
#include "daemon/workers/report.h"

#include <stdlib.h>

void rp_overdue_destroy(rp_overdue_t **self)
{
    while (*self != NULL) {
        rp_overdue_t *first = *self;
        *self = first->next;
        free(first);
    }
}

void rp_report_destroy(rp_report_t **self)
{
    if (*self == NULL) {
        return;
    }
    while ((*self)->answers != NULL) {
        rp_answer_msg_t *told = (*self)->answers;
        (*self)->answers = told->next;
        free(told);
    }
    while ((*self)->queries != NULL) {
        rp_query_report_t *found = (*self)->queries;
        (*self)->queries = found->next;
        rp_query_report_destroy(&found);
    }
    rp_overdue_destroy(&(*self)->overdue);
    free(*self);
    *self = NULL;
}
