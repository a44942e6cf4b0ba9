import { Divider, NavLink, ScrollArea } from '@mantine/core'
import {
  IconActivity,
  IconApi,
  IconBooks,
  IconBuildingStore,
  IconDownload,
  IconForms,
  IconHeartbeat,
  IconHome,
  IconKey,
  IconLock,
  IconSettings,
  IconStack2,
  IconUpload,
  IconUserShield,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react'
import { Link, useLocation, useParams } from '@tanstack/react-router'
import { useSession } from '../session.tsx'
import { useWords } from '../words/index.tsx'

/**
 * On a narrow screen the menu covers the page. `onNavigate` closes it, or the chosen screen would stay hidden behind
 * it.
 */
export function MainMenu({ onNavigate }: { onNavigate: () => void }) {
  const { bulk, nav, service } = useWords()
  const { seesAllStores } = useSession()
  const { store } = useParams({ strict: false })
  const { pathname } = useLocation()
  const storePath = store === undefined ? undefined : `/s/${encodeURIComponent(store)}`
  const storeLinks = [
    { path: '', label: nav.overview, Icon: IconHome },
    { path: '/users', label: nav.users, Icon: IconUsers },
    { path: '/accesses', label: nav.accesses, Icon: IconLock },
    { path: '/bulk-changes', label: bulk.list, Icon: IconStack2 },
    { path: '/import', label: nav.import, Icon: IconUpload },
    { path: '/export', label: nav.export, Icon: IconDownload },
    { path: '/products', label: nav.products, Icon: IconBooks },
    { path: '/custom-fields', label: nav.customFields, Icon: IconForms },
    { path: '/tokens', label: nav.tokens, Icon: IconKey },
    { path: '/webhooks', label: nav.webhooks, Icon: IconWebhook },
    { path: '/events', label: nav.events, Icon: IconActivity },
    { path: '/settings', label: nav.settings, Icon: IconSettings },
  ]
  const serviceLinks = [
    { path: '/stores', label: nav.stores, Icon: IconBuildingStore },
    // The service rejects these for an operator who is limited to stores.
    ...(seesAllStores
      ? [
          { path: '/operators', label: nav.operators, Icon: IconUserShield },
          { path: '/status', label: service.title, Icon: IconHeartbeat },
        ]
      : []),
  ]
  const isCurrent = (path: string) =>
    path === storePath ? pathname.replace(/\/$/, '') === path : pathname === path || pathname.startsWith(`${path}/`)
  const link = (to: string, label: string, Icon: typeof IconHome) => (
    <NavLink
      key={to}
      component={Link}
      to={to}
      activeOptions={{ exact: to === storePath }}
      onClick={onNavigate}
      label={label}
      leftSection={<Icon size={18} stroke={1.6} aria-hidden />}
      active={isCurrent(to)}
      {...(isCurrent(to) && { 'aria-current': 'page' as const })}
    />
  )
  return (
    <ScrollArea>
      {storePath !== undefined && (
        <>
          {storeLinks.map(({ path, label, Icon }) => link(storePath + path, label, Icon))}
          <Divider my="sm" />
        </>
      )}
      {serviceLinks.map(({ path, label, Icon }) => link(path, label, Icon))}
      <NavLink
        component="a"
        href="/docs"
        label={nav.reference}
        leftSection={<IconApi size={18} stroke={1.6} aria-hidden />}
      />
    </ScrollArea>
  )
}
