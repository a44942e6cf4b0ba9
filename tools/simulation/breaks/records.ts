/** Breaks of users, accesses, products, tokens, operators and stores. */
import type { BreaksOfFiles } from './break.ts'

export const RECORD_BREAKS: BreaksOfFiles = {
  'modules/users/create-user.ts': {
    'an event without the rule of its email': { drop: 'emailTaken()' },
    'a claim without its user': { replace: 'eq(stores.id, _)', by: 'sql`0`' },
    'an email in the log': {
      in: 'createUser',
      replace: 'return $create($db, $context, $values, $request)',
      by: 'console.log($values.email)\nreturn $create($db, $context, $values, $request)',
    },
    'personal data in an event': {
      replace: "{ type: 'user.created', ...$others }",
      by: "{ type: 'user.created', event: { data: sql`json_object('to', ${emailParams.email_key})` }, ...$others }",
    },
  },
  'modules/users/update-user.ts': {
    'an email stays taken after a change': {
      replace: '{ email: $email, email_key: _, email_folded: $folded }',
      by: '{ email: $email, email_folded: $folded }',
    },
    'a search does not find a new email': {
      replace: '{ email: $email, email_key: $key, email_folded: _ }',
      by: '{ email: $email, email_key: $key }',
    },
  },
  'modules/users/search-users.ts': {
    'a search looks at another form of the email': {
      replace: '[users.name_folded, users.last_name_folded, _]',
      by: '[users.name_folded, users.last_name_folded, users.email_key]',
    },
  },
  'modules/users/user-writes.ts': {
    'custom fields are measured in characters': { in: 'areTooLarge', replace: '`octet_length(`', by: '`length(`' },
  },
  'modules/users/batch/plan-items.ts': {
    'a batch accepts an email twice': { drop: "`iif(${_}, 'email_taken', null), `" },
    'a rejected item takes the email of a later one': {
      replace: '`filter (where ${and($isValid, _)})`',
      by: '`filter (where ${$isValid})`',
    },
  },
  'modules/users/batch/write-items.ts': {
    'a password alone is no change of a user in a batch': { drop: "{ field: 'password', from: _, to: _ }" },
    'a batch that skips users grants their accesses': {
      replace: '$items.leftJoin(product_accesses, eq(product_accesses.id, $id)).where(and(_, $isChange))',
      by: '$items.leftJoin(product_accesses, eq(product_accesses.id, $id)).where(and(isNull(plan().error), $isChange))',
    },
  },
  'modules/accesses/update-access.ts': {
    'If-Match is not checked': { drop: 'etag: _' },
    'an expiry changes the ETag': { replace: 'etag: _', by: 'etag: product_accesses.event_id' },
  },
  'modules/accesses/expiry.ts': {
    'an expiry is announced again and again': { drop: 'expired_at: contextParams.now' },
    'the expiry of a new date is not announced': {
      in: 'expiryColumnsAfter',
      replace: 'expired_at: sql`iif(${_} or ${_}, null, ${$expired})`',
      by: 'expired_at: sql`${$expired}`',
    },
    'an access that is opened again does not end again': {
      in: 'expiryColumnsAfter',
      replace: '`iif(${$moves} or ${_}, null, `',
      by: '`iif(${$moves}, null, `',
    },
  },
  'modules/accesses/grant-access.ts': {
    'a grant finds the product of another store by its slug': {
      replace: 'and(eq(_, permittedStore), $hasSlug)',
      by: '$hasSlug',
    },
  },
  'modules/accesses/grant-accesses.ts': {
    'a batch creates the records that it rejected': {
      replace: 'and(isNull(_), or($isNew, $isUpdated))',
      by: 'or($isNew, $isUpdated)',
    },
    'an update by a batch follows the first event of its access': {
      replace: 'previous_id: product_accesses.event_id',
      by: 'previous_id: product_accesses.id',
    },
  },
  'modules/accesses/list-accesses.ts': {
    'a list loses a filter': { drop: 'or(isNull(_), eq(product_accesses.status, _))' },
    'a list of accesses in the wrong order': {
      replace: 'orderBy(_, product_accesses.id)',
      by: 'product_accesses.id',
    },
  },
  'modules/accesses/new-access.ts': {
    'a grant has no default date': { in: 'dueDateOf', replace: '`${_} + ${_} * ${_}`', by: '`null`' },
  },
  'modules/accesses/record-progress.ts': {
    'progress does not change the ETag': { drop: 'alsoSet: _' },
  },
  'modules/products/products.ts': {
    'a product is found by its slug in every store': {
      replace: 'and(eq(products.store, _), eq(products.slug, $slug), $follows)',
      by: 'and(eq(products.slug, $slug), $follows)',
    },
  },
  'modules/stores/stores.ts': {
    'the second page of a limited operator begins with the first store': {
      replace: 'and($isComplete, eq(directory.number, $number), gt(directory.slug, _))',
      by: 'and($isComplete, eq(directory.number, $number))',
    },
    'a second suspension is a change': {
      replace: '`coalesce(${stores.suspended_at}, ${$now})`',
      by: '`${$now}`',
    },
  },
  'auth/secret-rotation.ts': {
    'a replaced secret is valid forever': { replace: '`iif(${_} = 0, null, `', by: '`iif(0, null, `' },
    'a rotation forgets the replaced secret': { replace: '`json_patch(${$valid}, ${_})`', by: '`${$valid}`' },
    'five secrets of a token are valid at once': {
      replace: 'ROTATION.secrets - 2',
      by: 'ROTATION.secrets - 1',
    },
  },
  'auth/token-format.ts': {
    'a forged token is valid': { in: 'readToken', drop: 'if (!_.some(_)) return undefined' },
  },
  'modules/tokens/revoke-all-tokens.ts': {
    'some tokens survive the revocation of all': {
      replace: 'isItemEventOfThisAttempt(_)',
      by: 'isItemEventOfThisAttempt(sql`1`)',
    },
  },
  'modules/operators/write-operators.ts': {
    'the email of a revoked operator stays taken': {
      replace: 'and(eq($operator.email_key, $key), isNull($operator.revoked_at))',
      by: 'eq($operator.email_key, $key)',
    },
  },
}
