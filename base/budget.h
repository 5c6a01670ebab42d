/// @file
/// Budgets: so many expansions may still be made, counted down; what else takes time is counted as
/// expansions that take as long.
#ifndef REPLAN_BASE_BUDGET_H
#define REPLAN_BASE_BUDGET_H

#include <stdint.h>

/// Something was done; a budget that it exceeds is used up.
static inline void rp_budget_pay(uint64_t *budget, uint64_t price)
{
    *budget -= price < *budget ? price : *budget;
}

#endif
