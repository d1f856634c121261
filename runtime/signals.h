/* What the processes of a sharing group do about signals, as far as others must know it.
 * SPDX-License-Identifier: MIT */
#ifndef RT_SIGNALS_H
#define RT_SIGNALS_H

void rt_signals_inherited(int child);        /* before the fork: by that host, from this one */

#endif
