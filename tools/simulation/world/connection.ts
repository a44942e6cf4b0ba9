/** Sends the requests of clients to the simulated service. */
import type { ApiResponse, Send } from '../clients/client-world.ts'
import type { ApiRequest } from '../contract.ts'
import { operationOf } from '../operations.ts'
import { TextRequest } from './fetch-api.ts'
import type { Service } from './instances.ts'
import type { Fault, World } from './world.ts'

/** After these faults, the service sends the batch again, although it may be committed already. */
const RESENT = /^(D1|object): (the answer is lost|the connection is lost, and the batch arrives)$/
const BASE = 'https://registrar.test'

/** The delays and faults of a request are drawn from its name. */
export function connect(world: World, service: Service): Send {
  return async (name, request) => {
    const from = world.faults.length
    const response = await service.request(name, toRequest(request))
    const prefix = `${name}#`
    const own = world.faults.slice(from).filter(({ id }) => id.startsWith(prefix))
    countStates(world, request, response, own)
    const wasResent = own.some(({ what }) => RESENT.test(what)) || world.unanswered.has(name)
    return response && { ...response, wasResent }
  }
}

/** Counts what is interesting about a response, and each operation with each of its faults. */
function countStates(
  world: World,
  request: ApiRequest,
  response: Omit<ApiResponse, 'wasResent'> | undefined,
  faults: readonly Fault[],
): void {
  const operation = operationOf(request) ?? 'no operation'
  for (const { what } of faults) {
    const [, kind] = /^(?:D1|object): (.*)/.exec(what) ?? []
    if (kind !== undefined) world.count(`a database: ${kind} in ${operation}`)
  }
  if (response === undefined) {
    world.count('no response')
    return
  }
  const { status, headers, text } = response
  if (world.isFaultFree && status < 300) world.count(`in calm: ${operation}`)
  if (headers.get('Idempotent-Replayed') === 'true') {
    world.count('replay')
    if (operation.endsWith('/extend')) world.count('replay of an extension')
  }
  if (status >= 400) world.count(`${status} ${/"code":"(\w+)"/.exec(text)?.[1] ?? ''}`.trim())
}

function toRequest({ method, path, token, body, headers = {} }: ApiRequest): TextRequest {
  const text = body === undefined ? undefined : JSON.stringify(body)
  return new TextRequest(BASE + path, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(text !== undefined && {
        'Content-Type': 'application/json',
        'Content-Length': String(Buffer.byteLength(text)),
      }),
      ...headers,
    },
    ...(text !== undefined && { body: text }),
  })
}
