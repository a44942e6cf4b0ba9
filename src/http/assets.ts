import type { Context } from 'hono'
import type { AppEnv } from '../context.ts'
import { ApiError } from '../wire/errors.ts'
import { UNCHANGING_FILE_SECONDS } from '../limits.ts'

/** Of files whose names hold a hash of what is in them. */
export const FOREVER = `public, max-age=${UNCHANGING_FILE_SECONDS}, immutable`

interface Serving {
  /** The content security policy. */
  policy: string
  /** Left out: as the assets have it. */
  caching?: string
}

/** A file that scripts/build-assets.ts has gathered, or a 304 where the browser has it; throws 404 where there is none. */
export async function serveAsset(c: Context<AppEnv>, path: string, { policy, caching }: Serving): Promise<Response> {
  const known = c.req.header('If-None-Match')
  const asset = await c.env.ASSETS.fetch(new URL(path, 'https://assets.invalid'), {
    headers: known === undefined ? {} : { 'If-None-Match': known },
  })
  if (!asset.ok && asset.status !== 304) throw new ApiError('route_not_found')
  const headers = new Headers(asset.headers)
  headers.set('Content-Security-Policy', policy)
  if (caching !== undefined) headers.set('Cache-Control', caching)
  return c.newResponse(asset.body, asset.status === 304 ? 304 : 200, Object.fromEntries(headers))
}

/** The file that the path ends with, in the folder: one name, which leads nowhere else. */
export function fileIn(c: Context<AppEnv>, folder: string): string {
  return `${folder}/${encodeURIComponent(c.req.param('file') ?? '')}`
}
