/* Of C++ that g++ compiles for VeriSoft: copies of constant size that it would make itself, without telling. They are called instead, under names
 * of which it knows nothing. (In C options are enough: src/cli/instrument.c.) SPDX-License-Identifier: MIT */
#ifndef VERISOFT_BUILTINS_H
#define VERISOFT_BUILTINS_H
#ifdef __cplusplus
extern "C" {
#define VERISOFT_BUILTIN(result, name, arguments) result verisoft_##name arguments __asm__(#name) __attribute__((__nothrow__));
VERISOFT_BUILTIN(void *, memcpy, (void *, const void *, __SIZE_TYPE__))
VERISOFT_BUILTIN(void *, memmove, (void *, const void *, __SIZE_TYPE__))
VERISOFT_BUILTIN(void *, memset, (void *, int, __SIZE_TYPE__))
VERISOFT_BUILTIN(char *, strcpy, (char *, const char *))
VERISOFT_BUILTIN(void *, __memcpy_chk, (void *, const void *, __SIZE_TYPE__, __SIZE_TYPE__))
VERISOFT_BUILTIN(void *, __memmove_chk, (void *, const void *, __SIZE_TYPE__, __SIZE_TYPE__))
VERISOFT_BUILTIN(void *, __memset_chk, (void *, int, __SIZE_TYPE__, __SIZE_TYPE__))
VERISOFT_BUILTIN(char *, __strcpy_chk, (char *, const char *, __SIZE_TYPE__))
VERISOFT_BUILTIN(char *, __stpcpy_chk, (char *, const char *, __SIZE_TYPE__))
VERISOFT_BUILTIN(char *, __strncpy_chk, (char *, const char *, __SIZE_TYPE__, __SIZE_TYPE__))
#undef VERISOFT_BUILTIN
}
#define __builtin_memcpy         verisoft_memcpy
#define __builtin_memmove        verisoft_memmove
#define __builtin_memset         verisoft_memset
#define __builtin_strcpy         verisoft_strcpy
#define __builtin___memcpy_chk   verisoft___memcpy_chk
#define __builtin___memmove_chk  verisoft___memmove_chk
#define __builtin___memset_chk   verisoft___memset_chk
#define __builtin___strcpy_chk   verisoft___strcpy_chk
#define __builtin___stpcpy_chk   verisoft___stpcpy_chk
#define __builtin___strncpy_chk  verisoft___strncpy_chk
#endif
#endif
