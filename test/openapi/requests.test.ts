/** The schemas of the service validate the examples of requests, so that the docs show no request that it rejects. */
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import * as accessTokens from '../../src/admin/access-tokens.ts'
import * as customFields from '../../src/admin/custom-fields.ts'
import * as operators from '../../src/admin/operators.ts'
import * as products from '../../src/admin/products.ts'
import * as stores from '../../src/admin/stores.ts'
import * as webhookEndpoints from '../../src/admin/webhook-endpoints.ts'
import * as productAccesses from '../../src/v1/product-accesses.ts'
import * as users from '../../src/v1/users.ts'
import * as usersV3 from '../../src/v3/users.ts'
import { batchBody } from '../../src/wire/batches.ts'
import { noFields, rotationBody } from '../../src/wire/fields.ts'
import { usersBatchBody } from '../../src/wire/user-batches.ts'
import { operations } from '../support/document.ts'

const validators: Record<string, () => z.ZodMiniObject> = {
  createPublicUser: usersV3.createUserBody,
  createUser: users.createUserBody,
  createUsers: usersBatchBody,
  updateUser: users.updateUserBody,
  verifyPassword: users.verifyPasswordBody,
  updateProductAccess: productAccesses.updateProductAccessBody,
  grantProductAccess: productAccesses.grantProductAccessBody,
  grantProductAccesses: batchBody,
  recordProgress: productAccesses.recordProgressBody,
  createAccessToken: accessTokens.createAccessTokenBody,
  updateAccessToken: accessTokens.updateAccessTokenBody,
  rotateAccessToken: rotationBody,
  revokeAllAccessTokens: noFields,
  createStore: stores.createStoreBody,
  updateStore: stores.updateStoreBody,
  putCustomField: customFields.putCustomFieldBody,
  createProduct: products.createProductBody,
  updateProduct: products.updateProductBody,
  createWebhookEndpoint: webhookEndpoints.createWebhookEndpointBody,
  updateWebhookEndpoint: webhookEndpoints.updateWebhookEndpointBody,
  rotateWebhookSecret: rotationBody,
  enableWebhookEndpoint: noFields,
  testWebhookEndpoint: noFields,
  redeliverEvent: noFields,
  createOperator: operators.createOperatorBody,
}

const withBody = operations
  .filter(({ operation }) => operation.requestBody !== undefined)
  .map(({ operation }) => [operation.operationId, operation] as const)

describe('The example of a request', () => {
  it.each(withBody)('of %s is valid', (id, { requestBody }) => {
    const { example } = requestBody.content['application/json']
    const schema = validators[id.replace(/AsOperator$/, '')]?.()
    if (schema === undefined) throw new Error(`which schema validates ${id}?`)
    expect(z.strictObject(schema.shape).safeParse(example)).toMatchObject({ success: true })
  })

  it.each(withBody)('of %s has a schema with the same fields, as strict as the service', (id, { requestBody }) => {
    const { schema } = requestBody.content['application/json']
    const validator = validators[id.replace(/AsOperator$/, '')]?.()
    const issues = validator?.safeParse({ unknown_field: 1 }).error?.issues ?? []
    expect(Object.keys(schema.properties)).toEqual(Object.keys(validator?.shape ?? {}))
    expect(schema.additionalProperties === false).toBe(issues.some(({ code }) => code === 'unrecognized_keys'))
  })
})
