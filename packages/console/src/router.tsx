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
import { toEventSearch } from './api/event-search.ts'
import { Frame } from './layout/frame.tsx'
import { Overview, overviewSearch } from './screens/overview/overview.tsx'
import { Broken } from './screens/broken.tsx'
import { Home } from './screens/home.tsx'
import { parseSearch, readHistoryPage, readOrder, readPage, type Search, stringifySearch } from './address.ts'
import { Loading } from './parts/loading.tsx'
import { NotFound } from './screens/not-found.tsx'
import { accessSearch } from './screens/accesses/filter.ts'
import { exportFilter } from './screens/export/filter.ts'
import { userFilter } from './screens/users/search.ts'
import { deliveryFilter } from './screens/webhooks/delivery-filter.ts'
import { StoreScreens } from './zone.tsx'

const readOrderAndPage = (search: Search) => ({ ...readOrder(search), ...readPage(search) })

const root = createRootRoute({ component: Frame })
const home = createRoute({ getParentRoute: () => root, path: '/', component: Home })
const stores = createRoute({
  getParentRoute: () => root,
  path: '/stores',
  validateSearch: readPage,
  component: lazyRouteComponent(() => import('./screens/stores/stores.tsx'), 'Stores'),
})
const operators = createRoute({
  getParentRoute: () => root,
  path: '/operators',
  validateSearch: (search: Search) => ({ ...readPage(search), ...readHistoryPage(search) }),
  component: lazyRouteComponent(() => import('./screens/operators/operators.tsx'), 'Operators'),
})

const status = createRoute({
  getParentRoute: () => root,
  path: '/status',
  component: lazyRouteComponent(() => import('./screens/status/status.tsx'), 'Status'),
})

const store = createRoute({ getParentRoute: () => root, path: '/s/$store', component: StoreScreens })
const overview = createRoute({
  getParentRoute: () => store,
  path: '/',
  validateSearch: overviewSearch,
  component: Overview,
})
const users = createRoute({
  getParentRoute: () => store,
  path: '/users',
  validateSearch: (search: Search) => ({ ...userFilter(search), ...readPage(search) }),
  component: lazyRouteComponent(() => import('./screens/users/users.tsx'), 'Users'),
})
const user = createRoute({
  getParentRoute: () => store,
  path: '/users/$id',
  validateSearch: readPage,
  component: lazyRouteComponent(() => import('./screens/user/user.tsx'), 'UserScreen'),
})
const accesses = createRoute({
  getParentRoute: () => store,
  path: '/accesses',
  validateSearch: (search: Search) => ({ ...accessSearch(search), ...readPage(search) }),
  component: lazyRouteComponent(() => import('./screens/accesses/accesses.tsx'), 'Accesses'),
})
const bulkChanges = createRoute({
  getParentRoute: () => store,
  path: '/bulk-changes',
  validateSearch: readOrderAndPage,
  component: lazyRouteComponent(() => import('./screens/bulk-changes/bulk-changes.tsx'), 'BulkChanges'),
})
const bulkChange = createRoute({
  getParentRoute: () => store,
  path: '/bulk-changes/$id',
  component: lazyRouteComponent(() => import('./screens/bulk-changes/bulk-change.tsx'), 'BulkChangeScreen'),
})
const importing = createRoute({
  getParentRoute: () => store,
  path: '/import',
  component: lazyRouteComponent(() => import('./screens/import/import.tsx'), 'Import'),
})
const exporting = createRoute({
  getParentRoute: () => store,
  path: '/export',
  validateSearch: exportFilter,
  component: lazyRouteComponent(() => import('./screens/export/export.tsx'), 'Export'),
})
const products = createRoute({
  getParentRoute: () => store,
  path: '/products',
  validateSearch: readPage,
  component: lazyRouteComponent(() => import('./screens/products/products.tsx'), 'Products'),
})
const customFields = createRoute({
  getParentRoute: () => store,
  path: '/custom-fields',
  validateSearch: readPage,
  component: lazyRouteComponent(() => import('./screens/custom-fields/custom-fields.tsx'), 'CustomFields'),
})
const tokens = createRoute({
  getParentRoute: () => store,
  path: '/tokens',
  validateSearch: readOrderAndPage,
  component: lazyRouteComponent(() => import('./screens/tokens/tokens.tsx'), 'Tokens'),
})
const webhooks = createRoute({
  getParentRoute: () => store,
  path: '/webhooks',
  validateSearch: readPage,
  component: lazyRouteComponent(() => import('./screens/webhooks/webhooks.tsx'), 'Webhooks'),
})
const webhook = createRoute({
  getParentRoute: () => store,
  path: '/webhooks/$id',
  validateSearch: (search: Search) => ({ ...deliveryFilter(search), ...readPage(search) }),
  component: lazyRouteComponent(() => import('./screens/webhooks/webhook.tsx'), 'Webhook'),
})
const events = createRoute({
  getParentRoute: () => store,
  path: '/events',
  validateSearch: (search: Search) => ({ ...toEventSearch(search), ...readPage(search) }),
  component: lazyRouteComponent(() => import('./screens/events/events.tsx'), 'Events'),
})
const settings = createRoute({
  getParentRoute: () => store,
  path: '/settings',
  component: lazyRouteComponent(() => import('./screens/settings/settings.tsx'), 'Settings'),
})

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    stores,
    operators,
    status,
    store.addChildren([
      overview,
      users,
      user,
      accesses,
      bulkChanges,
      bulkChange,
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
  defaultErrorComponent: Broken,
  defaultNotFoundComponent: NotFound,
  defaultPendingComponent: Loading,
  defaultPendingMs: 300,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
