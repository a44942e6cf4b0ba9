/** The kinds of fields that answers are made of. */
import * as z from 'zod'

export function text(description: string) {
  return z.string().meta({ description })
}

/** A string that is one of these values, which the compiler does not know of a column's text. */
export function choice(values: readonly string[], description: string) {
  return z.string().meta({ enum: [...values], description })
}

export function time(description: string) {
  return z.iso.datetime().meta({ description })
}

export function integer(description: string) {
  return z.int().meta({ description })
}

export function flag(description: string) {
  return z.boolean().meta({ description })
}

/** What a custom field and a grade may be. */
export function scalar(description: string) {
  return z.union([z.string(), z.number(), z.boolean(), z.null()]).meta({
    description,
    override: ({ jsonSchema }) => {
      delete jsonSchema.anyOf
      jsonSchema.type = ['string', 'number', 'boolean', 'null']
    },
  })
}

/** A JSON object whose keys its owner chooses. */
export function dictionary<S extends z.ZodType>(values: S, description: string) {
  return z.record(z.string(), values).meta({
    description,
    override: ({ jsonSchema }) => {
      delete jsonSchema.propertyNames
    },
  })
}
