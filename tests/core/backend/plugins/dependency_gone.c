/* SPDX-License-Identifier: Apache-2.0 */
/* The library that missing_dependency was linked with and does not find. */
int lumarch_test_gone(void);
int lumarch_test_gone(void) { return 0; }
