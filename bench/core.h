/// @file
/// The core that this thread measures on. Of the cores of a virtual machine one may take half as
/// long again as another, for seconds or for hours, as it shares its processor with somebody else.
/// Contenders that the system moves between the two would be told apart by that.
#ifndef REPLAN_BENCH_CORE_H
#define REPLAN_BENCH_CORE_H

/// Keep this thread, and what it starts, to the core that is the quickest now: to that where it is,
/// unless another is quicker by far. Looks again after some time only. Time: some milliseconds
void rp_core_choose(void);

#endif
