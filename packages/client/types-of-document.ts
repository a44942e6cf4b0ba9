/** Lies beside the client because openapi-typescript needs TypeScript 5, which only the client installs. */
import openapiTypes, { astToString } from 'openapi-typescript'

/** The types of an OpenAPI document, without examples and the headers of responses, which would be most of the file. */
export async function typesOfDocument(document: string): Promise<string> {
  const isOmitted = (key: string) => ['example', 'examples', 'headers'].includes(key)
  const schema = JSON.stringify(JSON.parse(document, (key, value: unknown) => (isOmitted(key) ? undefined : value)))
  return `/** The OpenAPI document as types. \`npm run generate\` writes it. */\n${astToString(await openapiTypes(schema, { silent: true }))}`
}
