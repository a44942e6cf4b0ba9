import type { toAccessToken } from './admin-routes.ts'
import { SCOPES } from '../../auth/scopes.ts'
import type { toOwnToken } from './routes.ts'
import { choice, type Fields, integer, list, nullable, object, resource, text, time } from '../../openapi/fields.ts'
import { describeOperations, order, pageResponse, response } from '../../openapi/operation.ts'

type AccessToken = ReturnType<typeof toAccessToken>

const fields: Fields<AccessToken> = {
  id: text(
    'The number of the token in its store. It stays the same when the token is rotated. It is not a secret.',
    '2',
  ),
  name: text('What the token is for, as its operator named it.', 'Checkout'),
  scopes: list(choice(SCOPES, 'One of the scopes.'), 'What the token may do.', [
    'users:write',
    'product_accesses:write',
  ]),
  created_at: time('When the token was issued.'),
  expires_at: nullable(time('When the token expires. Null if it never expires.')),
  revoked_at: nullable(time('When the token was revoked. Null if it was not.')),
  last_used_at: nullable(
    time(
      'The day on which the token was last used for a change or a read, at 00:00 UTC. Recorded right after the response.',
      '2026-11-21T00:00:00.000Z',
    ),
  ),
}

const accessToken = resource<AccessToken>('AccessToken', 'An access token, without its secret.', fields)

const issuedToken = text(
  'The token itself. It is only in this response, because only its hash is stored.',
  'rgs_<store, number, 256 random bits and their HMAC>',
)

const issued = resource<AccessToken & { token: string }>('IssuedAccessToken', 'An access token with its secret.', {
  ...fields,
  token: issuedToken,
})

const { name, scopes, expires_at, last_used_at } = fields

const ownFields: Fields<ReturnType<typeof toOwnToken>> = {
  id: fields.id,
  store_id: text('The id of the store that the token belongs to.', 'demo'),
  store: object(
    {
      id: text('The id of the store.', 'demo'),
      name: text('The name of the store, for people.', 'Demo academy'),
      language: text('The language of a user who is created on v1 without one.', 'ES'),
      time_zone: text('The time zone in which the store has its days.', 'Europe/Madrid'),
    },
    'The store that the token belongs to.',
  ),
  name,
  scopes,
  created_at: time('When the token was issued.', '2026-11-20T09:30:00.000Z'),
  expires_at,
  last_used_at,
}

const own = resource('OwnAccessToken', 'The token of the request.', ownFields)

const ownIssued = resource<ReturnType<typeof toOwnToken> & { token: string }>(
  'IssuedOwnAccessToken',
  'The token of the request with its new secret.',
  { ...ownFields, token: issuedToken },
)

export const accessTokens = describeOperations('Access tokens', {
  getToken: {
    route: 'GET /v1/token',
    summary: 'Read the token of this request',
    description: 'Checks a credential, whatever its scopes, and returns what it may do and when it expires.',
    responses: { 200: response('OwnAccessToken', 'The token.', own) },
  },
  rotateToken: {
    route: 'POST /v1/token/rotate',
    summary: 'Give the token of this request a new secret',
    description:
      'It remains the same token, with its id, name, scopes and idempotency keys, and its previous secret stays valid for `overlap_hours`. Only the current secret may call this: with an older one, which is still valid elsewhere, the response is 401, and `message` says that the token has been rotated since. At most four secrets are valid at once.',
    fields: {
      overlap_hours: 'How many hours the previous secret stays valid, at least 1. If it is omitted, 24.',
    },
    example: { overlap_hours: 48 },
    responses: { 200: response('OwnAccessTokenRotated', 'The token, with its new secret.', ownIssued) },
  },
  createAccessToken: {
    route: 'POST /admin/stores/{store_id}/tokens',
    summary: 'Issue an access token',
    description: 'The token itself is only in this response, because only its hash is stored.',
    fields: {
      name: 'What the token is for. Events that the token causes show it.',
      scopes: 'What the token may do, each scope once. If omitted: `users:write` and `product_accesses:write`.',
      expires_at: 'When the token expires. It must be in the future. If it is omitted, the token never expires.',
    },
    example: { name: 'Checkout', scopes: ['users:write', 'users:read'], expires_at: '2027-12-31T00:00:00Z' },
    responses: { 201: response('AccessTokenIssued', 'The token, with its secret.', issued) },
  },
  listAccessTokens: {
    route: 'GET /admin/stores/{store_id}/tokens',
    summary: 'List the access tokens of a store',
    description: 'All tokens by id, including revoked and expired ones, without their secrets.',
    query: { order },
    responses: { 200: pageResponse('AccessTokenPage', 'A page of tokens.', accessToken) },
  },
  updateAccessToken: {
    route: 'PATCH /admin/stores/{store_id}/tokens/{id}',
    summary: 'Change the name, the scopes or the expiry of a token',
    description: 'The change applies from the next request. A revoked token is 404.',
    fields: {
      name: 'What the token is for.',
      scopes: 'Everything that the token may do from now on, each scope once. It replaces the previous scopes.',
      expires_at: 'When the token expires. It must be in the future. Null: it never expires.',
    },
    example: { scopes: ['users:read'] },
    responses: { 200: response('AccessToken', 'The token as it is now.', accessToken) },
  },
  revokeAccessToken: {
    route: 'DELETE /admin/stores/{store_id}/tokens/{id}',
    summary: 'Revoke an access token',
    description: 'The token is rejected everywhere from the next request. Revoking it again is 404.',
  },
  rotateAccessToken: {
    route: 'POST /admin/stores/{store_id}/tokens/{id}/rotate',
    summary: 'Give a token a new secret',
    description:
      'It remains the same token, with its id, name, scopes and idempotency keys. The previous secret stays valid for `overlap_hours`. At most four secrets are valid at once. Of concurrent rotations with `overlap_hours: 0`, each returns a token, but only the secret of the last one works. A revoked token is 404.',
    fields: {
      overlap_hours:
        'How many hours the previous secret stays valid. If it is omitted, 24. 0 ends every older secret at once: use it after a leak.',
    },
    example: { overlap_hours: 48 },
    responses: { 200: response('AccessTokenRotated', 'The token, with its new secret.', issued) },
  },
  revokeAllAccessTokens: {
    route: 'POST /admin/stores/{store_id}/tokens/revoke_all',
    summary: 'Revoke every access token of a store',
    description: 'For emergencies: every token of the store is rejected from the next request.',
    responses: {
      200: response(
        'AccessTokensRevoked',
        'How many tokens were revoked.',
        resource<{ revoked: number }>('AccessTokensRevoked', 'The number of tokens.', {
          revoked: integer('How many tokens were revoked, those that had expired included.', 3),
        }),
      ),
    },
  },
})
