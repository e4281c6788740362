/* SPDX-License-Identifier: Apache-2.0 */
/* Links a library that exports the entry, has none itself. */
int unrelated(void);
int unrelated(void) { return 0; }
