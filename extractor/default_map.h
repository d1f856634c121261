/* The default map of programs: what functions of threads, processes and the C library are in a model (include/verisoft-model.h has the
 * functions that do it). Text in the format of a map; what a harness's own map says comes first.
 * SPDX-License-Identifier: MIT */
#ifndef DEFAULT_MAP_H
#define DEFAULT_MAP_H

extern const char default_map[];

#endif
