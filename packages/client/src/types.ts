/** What the methods of the client take and return. They throw for every error, so unlike those of openapi-fetch they have data. */
import type { MaybeOptionalInit, ParseAsResponse } from 'openapi-fetch'
import type { HttpMethod, PathsWithMethod, Readable, RequiredKeysOf, SuccessResponse } from 'openapi-typescript-helpers'
import type { components, paths } from './schema.ts'

export type Schemas = components['schemas']

export interface Result<T> {
  /** The body. */
  data: T
  response: Response
}

type Body<Operation, Init> = Operation extends { responses: infer Responses extends Record<number, unknown> }
  ? ParseAsResponse<Readable<SuccessResponse<Responses>>, Init>
  : never

type InitParam<Init> = RequiredKeysOf<Init> extends never ? [Init?] : [Init]

export type Method<Name extends HttpMethod> = <
  Path extends PathsWithMethod<paths, Name>,
  Init extends MaybeOptionalInit<paths[Path], Name>,
>(
  path: Path,
  ...init: InitParam<Init>
) => Promise<Result<Body<paths[Path][Name], Init>>>

/** The lists: paths whose GET returns pages. */
export type ListPath = {
  [Path in keyof paths]: paths[Path] extends { get: PageOperation } ? Path : never
}[keyof paths]

interface PageOperation {
  responses: { 200: { content: { 'application/json': { data: object[]; next: string | null } } } }
}

export type List = <Path extends ListPath>(
  path: Path,
  ...init: InitParam<MaybeOptionalInit<paths[Path], 'get'>>
) => AsyncGenerator<RecordOf<paths[Path]['get']>, void, undefined>

type RecordOf<Operation> = Operation extends PageOperation
  ? Operation['responses'][200]['content']['application/json']['data'][number]
  : never
