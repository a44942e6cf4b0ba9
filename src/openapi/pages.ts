import * as z from 'zod'
import type { ZodOpenApiResponseObject } from 'zod-openapi'
import type { toPage } from '../wire/pages.ts'
import { describes } from './describes.ts'
import { text } from './fields.ts'
import { answer } from './operation.ts'

function pageOf<Shown>(record: z.ZodType<Shown>) {
  return z.object({
    data: z.array(record).meta({ description: 'The records of the page, in the order of the list.' }),
    next: text('The `after` of the next page; null at the end.').nullable(),
  })
}

describes<ReturnType<typeof toPage<never, string>>>()(pageOf(z.string()))

interface PageParts<Shown> {
  description: string
  record: z.ZodType<Shown>
  example: NoInfer<Shown>
}

/** The answer of a list. */
export function pageAnswer<Shown>(
  id: string,
  { description, record, example }: PageParts<Shown>,
): ZodOpenApiResponseObject {
  return answer(id, { description, schema: pageOf(record).meta({ id }), example: { data: [example], next: null } })
}
