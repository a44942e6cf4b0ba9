import type { toCustomField } from './custom-field-json.ts'
import { nullable, resource, text, time } from '../../openapi/fields.ts'
import { describeOperations, pageResponse, response } from '../../openapi/operation.ts'

const customField = resource<ReturnType<typeof toCustomField>>(
  'CustomField',
  'A key for which the users of the store may have a value.',
  {
    key: text('The key in `custom_fields` of a user.', 'department'),
    label: nullable(text('The name of the field, for people. Null if it has none.', 'Department')),
    created_at: time('When the field was defined.'),
  },
)

export const customFields = describeOperations('Custom fields', {
  putCustomField: {
    route: 'PUT /admin/stores/{store_id}/custom_fields/{key}',
    summary: 'Define a custom field, or change its label',
    description: 'Users may have a value for it from the next request.',
    fields: {
      label:
        'The name of the field, for people. If it is omitted or null, a new field has no label, and an existing one keeps its label.',
    },
    example: { label: 'Department' },
    responses: {
      200: response('CustomField', 'The field existed before. This is its current state.', customField),
      201: response('CustomFieldDefined', 'The new field.', customField),
    },
  },
  listCustomFields: {
    route: 'GET /v1/stores/{store_id}/custom_fields',
    summary: 'List the custom fields of a store',
    description: 'All custom fields by key.',
    responses: { 200: pageResponse('CustomFieldPage', 'A page of custom fields.', customField) },
  },
  deleteCustomField: {
    route: 'DELETE /admin/stores/{store_id}/custom_fields/{key}',
    summary: 'Remove a custom field',
    description: 'New values are rejected from the next request. Users keep the values that they have.',
  },
})
