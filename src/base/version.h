/* The version of the whole. SPDX-License-Identifier: MIT */
#ifndef VERSION_H
#define VERSION_H

#define VERSION "3.0.0"              /* the manual of 2001 describes 2.x */

#endif
