/// @file
/// Words: all curves of one radius from a pose to a point or to a pose.
///
/// Dubins: forwards only, CSC and CCC. Reeds and Shepp: with changes of gear, 48 words of up to
/// five pieces. Which of them exist is a matter of the two poses. All that exist are listed, as the
/// cheapest one may be blocked and another one free. Formulas: every word is worked out from the
/// centres of its circles, in a frame where it begins with a left arc driven forwards; the others
/// are its mirror images.
#ifndef REPLAN_PLANNERS_MOTION_WORDS_H
#define REPLAN_PLANNERS_MOTION_WORDS_H

#include "planners/motion/curve.h"

/// Curves to a point, with any heading there: arc and line, and two arcs, which are needed where
/// the point lies inside a circle of the start. One of these is the shortest of all curves of one
/// gear. At most 6.
/// @param gear  +1 or -1, of the whole curve
void rp_words_to_point(const rp_motion_pose_t *start, double x, double y, int32_t gear,
                       const rp_curve_price_t *price, rp_curve_list_t *list);

/// Curves to a pose, forwards: arc, line, arc (at most 4) and three arcs (at most 4). The first one
/// is the shortest of all.
void rp_words_dubins(const rp_motion_pose_t *start, const rp_motion_pose_t *end,
                     const rp_curve_price_t *price, rp_curve_list_t *list);

/// Curves to a pose in both gears: those of Dubins forwards and backwards, and the words of Reeds
/// and Shepp with a change of gear. Where reverse costs nothing extra and changes are free the
/// first one is the shortest of all; at other prices it is the cheapest of those listed.
void rp_words_reeds_shepp(const rp_motion_pose_t *start, const rp_motion_pose_t *end,
                          const rp_curve_price_t *price, rp_curve_list_t *list);

/// The first curve of the list of rp_words_dubins(), and of rp_words_reeds_shepp(), without the
/// others.
void rp_words_dubins_cheapest(const rp_motion_pose_t *start, const rp_motion_pose_t *end,
                              const rp_curve_price_t *price, rp_curve_t *curve);
void rp_words_reeds_shepp_cheapest(const rp_motion_pose_t *start, const rp_motion_pose_t *end,
                                   const rp_curve_price_t *price, rp_curve_t *curve);

#endif
