/* SPDX-License-Identifier: Apache-2.0
 * Everything that a caller may get wrong is found here, before a kernel writes anything. */
#include <string.h>

#include "backend.h"

lm_status begin(job* j, lm_device* d, const lm_call* c, uint32_t n_views, size_t params_size) {
  const lm_members* m = c ? c->members : NULL;
  uint64_t bytes = 0;
  memset(j, 0, sizeof *j);
  j->d = d;
  j->call = c;
  NEED(d, c && c->struct_size >= sizeof *c && m && m->struct_size >= sizeof *m,
       "the call or its members are missing or short");
  NEED(d, c->exec && c->exec->struct_size >= sizeof(lm_exec) && c->exec->worker < c->exec->n_workers,
       "there is no good exec");
  NEED(d, c->n_views >= n_views && c->views, "%u views are needed", n_views);
  NEED(d, !params_size || (c->params && c->params_size >= params_size && *(const uint32_t*)c->params >= params_size),
       "the parameters are missing or short");
  NEED(d, m->first <= m->count && m->n_active <= m->count - m->first, "the active range lies outside the batch");
  char* block = c->exec->resolve(d, m->block, &bytes);
  const uint64_t part[6][2] = {{m->h, 8},      {m->z, 8},      {m->active, 4},
                               {m->parity, 1}, {m->status, 1}, {m->numbers, 8ull * m->n_numbers}};
  for (int i = 0; i < 6; ++i)
    NEED(d, block && part[i][0] <= bytes && part[i][1] * m->count <= bytes - part[i][0],
         "the member block is missing or short");
  j->h = block + m->h, j->active = block + m->active, j->parity = block + m->parity, j->status = block + m->status,
  j->numbers = block + m->numbers;
  for (uint32_t i = m->first; i < m->first + m->n_active; ++i)
    NEED(d, ((uint32_t*)j->active)[i] < m->count, "the active map leads out of the batch");
  return LM_OK;
}

lm_status take(job* j, uint32_t i, const lm_view* v, int32_t dtype, int64_t n) {
  uint64_t bytes = 0;
  const int scratch = (v->flags & LM_VIEW_SCRATCH) != 0;
  rows* r = &j->view[i];
  *r = (rows){j->call->exec->resolve(j->d, v->buffer, &bytes),
              dtype == LM_F64 ? 8 : 16,
              {0},
              v->bank,
              v->extent[4],
              v->flags & LM_VIEW_FLIP};
  NEED(j->d, r->base && v->dtype == dtype && (n < 0 || r->n == n), "view %u: no buffer, another element type or length",
       i);
  NEED(j->d, !(v->flags & ~(uint32_t)(LM_VIEW_FLIP | LM_VIEW_SCRATCH)) && (r->n < 2 || v->pitch[4] == 1),
       "view %u: unknown flags or samples apart", i);
  NEED(j->d, !v->pitch[0] || v->extent[0] >= (int64_t)(scratch ? j->call->exec->n_workers : j->call->members->count),
       "view %u: too few rows", i);
  double last = (double)v->offset + (double)v->bank; /* exact as far as any buffer reaches */
  for (int axis = 0; axis < LM_AXES; ++axis) {
    NEED(j->d, v->extent[axis] >= 0 && v->pitch[axis] >= 0, "view %u: a negative extent or pitch", i);
    NEED(j->d, !i || axis == 0 || axis == 4 || v->extent[axis] == 1 || v->extent[axis] == j->shape->extent[axis],
         "view %u: other nodes or components", i);
    last += (double)(v->extent[axis] - 1) * (double)v->pitch[axis];
    if (axis < 4 && (axis == 0 || v->extent[axis] > 1)) r->pitch[axis] = (uint64_t)v->pitch[axis];
  }
  NEED(j->d, last < (double)(bytes / r->size), "view %u lies outside its buffer", i);
  r->base += r->size * (v->offset + (scratch ? j->call->exec->worker * r->pitch[0] : 0));
  if (scratch) r->pitch[0] = 0;
  if (i == 0) j->shape = v;
  return LM_OK;
}

lm_status each_row(job* j, uint32_t n_views, void (*body)(job*)) {
  const lm_members* m = j->call->members;
  for (uint32_t e = m->first; e < m->first + m->n_active; ++e) {
    j->member = ((uint32_t*)j->active)[e], j->new_member = 1;
    if (j->status[j->member] != LM_RUNNING) continue;
    for (int64_t c = 0; c < j->shape->extent[1]; ++c)
      for (int64_t y = 0; y < j->shape->extent[2]; ++y)
        for (int64_t x = 0; x < j->shape->extent[3]; ++x, j->new_member = 0) {
          for (uint32_t i = 0; i < n_views; ++i) {
            const rows* r = &j->view[i];
            const uint64_t bank = (((uint8_t)j->parity[j->member] ^ r->flip) & 1u) * r->bank;
            j->row[i] = r->base + r->size * (bank + j->member * r->pitch[0] + (uint64_t)c * r->pitch[1] +
                                             (uint64_t)y * r->pitch[2] + (uint64_t)x * r->pitch[3]);
          }
          body(j);
        }
  }
  return LM_OK;
}
