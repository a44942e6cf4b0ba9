/** All breaks. */
import type { Break } from './break.ts'
import { CHANGE_BREAKS } from './changes.ts'
import { EDGE_BREAKS } from './edge.ts'
import { EXTENSION_BREAKS } from './extensions.ts'
import { RECORD_BREAKS } from './records.ts'
import { WEBHOOK_BREAKS } from './webhooks.ts'

export const BREAKS: Break[] = [RECORD_BREAKS, CHANGE_BREAKS, EXTENSION_BREAKS, EDGE_BREAKS, WEBHOOK_BREAKS].flatMap(
  (files) =>
    Object.entries(files).flatMap(([file, changes]) =>
      Object.entries(changes).map(([name, change]) => ({ name, file, change })),
    ),
)
