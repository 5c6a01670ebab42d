/// @file
/// Chooses the core to measure on. On a virtual machine one core may be half as slow again as
/// another, for seconds or hours, because it shares its processor with another guest. Contenders
/// that the system moves between the two would not be comparable.
#ifndef REPLAN_BENCH_MEASURE_CORE_H
#define REPLAN_BENCH_MEASURE_CORE_H

/// Keep this thread, and what it starts, to the core that is the quickest now: to that where it is,
/// unless another is quicker by far. Looks again after some time only. Time: some milliseconds
void rp_core_choose(void);

#endif
