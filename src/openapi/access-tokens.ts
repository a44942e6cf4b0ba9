import * as z from 'zod'
import { createAccessTokenBody, type toAccessToken, updateAccessTokenBody } from '../admin/access-tokens.ts'
import { SCOPES } from '../domain/tokens/scopes.ts'
import type { toOwnToken } from '../v1/token.ts'
import { listQuery, rotationBody } from '../wire/fields.ts'
import { describes } from './describes.ts'
import { choice, integer, text, time } from './fields.ts'
import { answer, done, type Operation, operatorOperation } from './operation.ts'
import { pageAnswer } from './pages.ts'
import { nothing, queryOf, requestBody } from './requests.ts'

const TOKENS = '/admin/stores/{store_id}/tokens'

const scopes = z
  .array(choice(SCOPES, 'One thing that the token may do.'))
  .meta({ description: 'What the token may do.' })

const fields = {
  id: text('The number of the token in its store. It stays when the token is rotated, and is no secret.'),
  name: text('What the token is for, as its operator called it.'),
  scopes,
  created_at: time('When the token was issued.'),
  expires_at: time('From when on the token is refused; null: never.').nullable(),
  revoked_at: time('When the token was revoked; null: it was not.').nullable(),
}

const accessToken = describes<ReturnType<typeof toAccessToken>>()(
  z.object(fields).meta({ id: 'AccessToken', description: 'An access token, without its secret.' }),
)

const issued = describes<ReturnType<typeof toAccessToken> & { token: string }>()(
  z
    .object({
      ...fields,
      token: text('The token itself: in this answer and nowhere else, since only a hash of it is kept.'),
    })
    .meta({ id: 'IssuedAccessToken', description: 'An access token with its secret, this once.' }),
)

const example = {
  id: '2',
  name: 'Checkout',
  scopes: ['users:write', 'product_accesses:write'],
  created_at: '2026-11-21T09:30:00.000Z',
  expires_at: null,
  revoked_at: null,
}

const issuedExample = { ...example, token: 'rgs_<store, number, 256 random bits and their HMAC>' }

const own = describes<ReturnType<typeof toOwnToken>>()(
  z
    .object({
      store_id: text('The id of the store that the token is good for.'),
      name: fields.name,
      scopes,
      created_at: fields.created_at,
      expires_at: fields.expires_at,
      last_used_at: time('The day on which the token was last used for a change or a read, at 00:00 UTC.').nullable(),
    })
    .meta({ id: 'OwnAccessToken', description: 'The token that a request bears.' }),
)

const shown = answer('AccessToken', { description: 'The token as it is now.', schema: accessToken, example })

export const accessTokens: Operation[] = [
  {
    method: 'get',
    path: '/v1/token',
    id: 'getToken',
    tag: 'Access tokens',
    summary: 'What the token of this request is',
    description: 'Checks a credential, whatever its scopes, and tells what it may do and until when.',
    caller: { scope: null },
    answers: {
      200: answer('OwnAccessToken', {
        description: 'The token.',
        schema: own,
        example: {
          store_id: 'demo',
          name: 'Checkout',
          scopes: ['users:write', 'product_accesses:write'],
          created_at: '2026-11-20T09:30:00.000Z',
          expires_at: null,
          last_used_at: '2026-11-21T00:00:00.000Z',
        },
      }),
    },
  },
  operatorOperation({
    method: 'post',
    path: TOKENS,
    id: 'createAccessToken',
    tag: 'Access tokens',
    summary: 'Issue an access token',
    description: 'The token is in this answer and nowhere else: only a hash of it is kept.',
    body: requestBody('CreateAccessToken', {
      schema: createAccessTokenBody,
      fields: {
        name: 'What the token is for; shown in the events that it causes.',
        scopes: 'What the token may do, each once. Left out: `users:write` and `product_accesses:write`.',
        expires_at: 'From when on the token is refused; in the future. Left out: never.',
      },
      example: { name: 'Checkout', scopes: ['users:write', 'users:read'], expires_at: '2027-12-31T00:00:00Z' },
    }),
    answers: {
      201: answer('AccessTokenIssued', {
        description: 'The token, with its secret.',
        schema: issued,
        example: issuedExample,
      }),
    },
  }),
  operatorOperation({
    method: 'get',
    path: TOKENS,
    id: 'listAccessTokens',
    tag: 'Access tokens',
    summary: 'List the access tokens of a store',
    description: 'By id, revoked and expired ones too; never with the secret.',
    query: queryOf('listAccessTokens', listQuery, {}),
    answers: {
      200: pageAnswer('AccessTokenPage', { description: 'A page of tokens.', record: accessToken, example }),
    },
  }),
  operatorOperation({
    method: 'patch',
    path: `${TOKENS}/{id}`,
    id: 'updateAccessToken',
    tag: 'Access tokens',
    summary: 'Change what a token is called, may do, or until when',
    description: 'Takes effect with the next request. A revoked token is 404.',
    body: requestBody('UpdateAccessToken', {
      schema: updateAccessTokenBody,
      fields: {
        name: 'What the token is for.',
        scopes: 'What the token may do from now on, each once: all of it, not what is added.',
        expires_at: 'From when on the token is refused; in the future. Null: never.',
      },
      example: { scopes: ['users:read'] },
      isOptional: true,
    }),
    answers: { 200: shown },
  }),
  operatorOperation({
    method: 'delete',
    path: `${TOKENS}/{id}`,
    id: 'revokeAccessToken',
    tag: 'Access tokens',
    summary: 'Revoke an access token',
    description: 'It is refused from the next request on, everywhere. The second time, the answer is 404.',
    answers: { 204: done },
  }),
  operatorOperation({
    method: 'post',
    path: `${TOKENS}/{id}/rotate`,
    id: 'rotateAccessToken',
    tag: 'Access tokens',
    summary: 'Give a token a new secret',
    description:
      'It stays the same token, with its id, name, scopes and idempotency keys. The secret before stays good for as long as `overlap_hours` says; at most four secrets are good at once. A revoked token is 404.',
    body: requestBody('RotateAccessToken', {
      schema: rotationBody,
      fields: {
        overlap_hours:
          'For how many hours the secret before stays good; left out: 24. 0 ends every older secret at once, as a leak demands.',
      },
      example: { overlap_hours: 48 },
      isOptional: true,
    }),
    answers: {
      200: answer('AccessTokenRotated', {
        description: 'The token, with its new secret.',
        schema: issued,
        example: issuedExample,
      }),
    },
  }),
  operatorOperation({
    method: 'post',
    path: `${TOKENS}/revoke_all`,
    id: 'revokeAllAccessTokens',
    tag: 'Access tokens',
    summary: 'Revoke every access token of a store',
    description: 'For the worst day: each token of the store is refused from the next request on.',
    body: nothing,
    answers: {
      200: answer('AccessTokensRevoked', {
        description: 'How many.',
        schema: z
          .object({ revoked: integer('How many tokens were good until now.') })
          .meta({ id: 'AccessTokensRevoked' }),
        example: { revoked: 3 },
      }),
    },
  }),
]
