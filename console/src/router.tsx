/**
 * The screens and their URLs. The path of a screen is the part of the URL after `#`: no server or log ever gets it, and
 * the service only serves one page. The code of most screens is loaded when they are first opened.
 */
import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router'
import { parseSearch, stringifySearch } from './address.ts'
import { toEventSearch } from './api/event-search.ts'
import { Frame } from './layout/frame.tsx'
import { Overview } from './screens/overview.tsx'
import { Home } from './screens/home.tsx'
import { accessFilter } from './screens/accesses/filter.ts'

const root = createRootRoute({ component: Frame })
const home = createRoute({ getParentRoute: () => root, path: '/', component: Home })
const stores = createRoute({
  getParentRoute: () => root,
  path: '/stores',
  component: lazyRouteComponent(() => import('./screens/stores.tsx'), 'Stores'),
})
const operators = createRoute({
  getParentRoute: () => root,
  path: '/operators',
  component: lazyRouteComponent(() => import('./screens/operators.tsx'), 'Operators'),
})

const store = createRoute({ getParentRoute: () => root, path: '/s/$store' })
const overview = createRoute({ getParentRoute: () => store, path: '/', component: Overview })
const users = createRoute({
  getParentRoute: () => store,
  path: '/users',
  component: lazyRouteComponent(() => import('./screens/users.tsx'), 'Users'),
})
const user = createRoute({
  getParentRoute: () => store,
  path: '/users/$id',
  component: lazyRouteComponent(() => import('./screens/user.tsx'), 'UserScreen'),
})
const accesses = createRoute({
  getParentRoute: () => store,
  path: '/accesses',
  validateSearch: accessFilter,
  component: lazyRouteComponent(() => import('./screens/accesses.tsx'), 'Accesses'),
})
const importing = createRoute({
  getParentRoute: () => store,
  path: '/import',
  component: lazyRouteComponent(() => import('./screens/import.tsx'), 'Import'),
})
const exporting = createRoute({
  getParentRoute: () => store,
  path: '/export',
  component: lazyRouteComponent(() => import('./screens/export.tsx'), 'Export'),
})
const products = createRoute({
  getParentRoute: () => store,
  path: '/products',
  component: lazyRouteComponent(() => import('./screens/products.tsx'), 'Products'),
})
const customFields = createRoute({
  getParentRoute: () => store,
  path: '/custom-fields',
  component: lazyRouteComponent(() => import('./screens/custom-fields.tsx'), 'CustomFields'),
})
const tokens = createRoute({
  getParentRoute: () => store,
  path: '/tokens',
  component: lazyRouteComponent(() => import('./screens/tokens.tsx'), 'Tokens'),
})
const webhooks = createRoute({
  getParentRoute: () => store,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('./screens/webhooks.tsx'), 'Webhooks'),
})
const webhook = createRoute({
  getParentRoute: () => store,
  path: '/webhooks/$id',
  component: lazyRouteComponent(() => import('./screens/webhook.tsx'), 'Webhook'),
})
const events = createRoute({
  getParentRoute: () => store,
  path: '/events',
  validateSearch: toEventSearch,
  component: lazyRouteComponent(() => import('./screens/events.tsx'), 'Events'),
})
const settings = createRoute({
  getParentRoute: () => store,
  path: '/settings',
  component: lazyRouteComponent(() => import('./screens/settings.tsx'), 'Settings'),
})

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    stores,
    operators,
    store.addChildren([
      overview,
      users,
      user,
      accesses,
      importing,
      exporting,
      products,
      customFields,
      tokens,
      webhooks,
      webhook,
      events,
      settings,
    ]),
  ]),
  history: createHashHistory(),
  parseSearch,
  stringifySearch,
  defaultNotFoundComponent: Home,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
