/* Which signals some process of a sharing group does something about.
 * SPDX-License-Identifier: MIT */
#ifndef RT_SIGNALS_H
#define RT_SIGNALS_H

void rt_signals_begin(void);         /* before a fork: what is remembered must be memory that all share */

#endif
