import * as z from 'zod'
import { listCustomFieldsQuery, putCustomFieldBody, type toCustomField } from '../admin/custom-fields.ts'
import { describes } from './describes.ts'
import { text, time } from './fields.ts'
import { answer, done, type Operation, operatorOperation } from './operation.ts'
import { pageAnswer } from './pages.ts'
import { queryOf, requestBody } from './requests.ts'

const FIELDS = '/admin/stores/{store_id}/custom_fields'

const customField = describes<ReturnType<typeof toCustomField>>()(
  z
    .object({
      key: text('The key in `custom_fields` of a user.'),
      label: text('What people call the field; null: it has no label.').nullable(),
      created_at: time('When the field was defined.'),
    })
    .meta({ id: 'CustomField', description: 'A key that users of the store may have a value of.' }),
)

const example = { key: 'department', label: 'Department', created_at: '2026-11-21T09:30:00.000Z' }

export const customFields: Operation[] = [
  operatorOperation({
    method: 'put',
    path: `${FIELDS}/{key}`,
    id: 'putCustomField',
    tag: 'Custom fields',
    summary: 'Define a custom field, or change its label',
    description: 'From the next request on, users may have a value of it.',
    body: requestBody('PutCustomField', {
      schema: putCustomFieldBody,
      fields: {
        label: 'What people call the field. Left out or null: a new field has none, and an old one keeps its own.',
      },
      example: { label: 'Department' },
      isOptional: true,
    }),
    answers: {
      200: answer('CustomField', {
        description: 'The field was defined before; this is what it is now.',
        schema: customField,
        example,
      }),
      201: answer('CustomFieldDefined', { description: 'The field is defined now.', schema: customField, example }),
    },
  }),
  operatorOperation({
    method: 'get',
    path: FIELDS,
    id: 'listCustomFields',
    tag: 'Custom fields',
    summary: 'List the custom fields of a store',
    description: 'All of them, by key.',
    query: queryOf('listCustomFields', listCustomFieldsQuery, {}),
    answers: {
      200: pageAnswer('CustomFieldPage', { description: 'A page of custom fields.', record: customField, example }),
    },
  }),
  operatorOperation({
    method: 'delete',
    path: `${FIELDS}/{key}`,
    id: 'deleteCustomField',
    tag: 'Custom fields',
    summary: 'Remove a custom field',
    description: 'New values of it are refused from the next request on; values that users have are kept.',
    answers: { 204: done },
  }),
]
