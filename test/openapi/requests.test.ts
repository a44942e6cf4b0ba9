/** The service itself accepts the examples of requests: the schemas that its routes validate with parse them. */
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { routes } from '../../src/openapi/document/routes.ts'
import { operations } from '../support/document.ts'

const withBody = operations.flatMap(({ method, path, operation }) => {
  const schema = routes.get(`${method.toUpperCase()} ${path}`)?.body?.()
  return schema === undefined ? [] : [{ id: operation.operationId, operation, validator: schema }]
})

it('Every operation with a body has a route that validates it', () => {
  const documented = operations.filter(({ operation }) => operation.requestBody !== undefined)
  expect(documented.length).toBeGreaterThan(20)
  expect(withBody.map(({ id }) => id)).toEqual(documented.map(({ operation }) => operation.operationId))
})

describe('The example of a request', () => {
  it.each(withBody)('of $id is valid', ({ operation, validator }) => {
    const { example } = operation.requestBody.content['application/json']
    expect(z.strictObject(validator.shape).safeParse(example)).toMatchObject({ success: true })
  })

  it.each(withBody)('of $id has a schema with the same fields, and as strict', ({ operation, validator }) => {
    const { schema } = operation.requestBody.content['application/json']
    const issues = validator.safeParse({ unknown_field: 1 }).error?.issues ?? []
    expect(Object.keys(schema.properties)).toEqual(Object.keys(validator.shape))
    expect(schema.additionalProperties === false).toBe(issues.some(({ code }) => code === 'unrecognized_keys'))
  })
})
