/** The guide is written for `npm run dev`, where its samples are tested. These words make it fit the service that shows it. */
const LOCAL = 'http://localhost:8787'

const DEPLOYED = [
  [
    'The samples on this page run as they are against the demo store that `npm run dev` creates: paste them into one terminal, from top to bottom.',
    'The samples on this page are for a store with the id `demo`: put the id of your store in its place, and paste them into one terminal, from top to bottom.',
  ],
  ["ADMIN_TOKEN=$(sed -n 's/^ADMIN_TOKEN=//p' .dev.vars)", "ADMIN_TOKEN='the token of an operator'"],
]

/** The text of the OpenAPI document with the address of this service, and without what only a local one has. */
export function fitToService(text, { origin, isLocal }) {
  const addressed = text.replaceAll(LOCAL, origin)
  return isLocal ? addressed : DEPLOYED.reduce((fitted, [before, after]) => fitted.replaceAll(before, after), addressed)
}
