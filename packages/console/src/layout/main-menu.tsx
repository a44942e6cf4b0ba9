import { Box, Divider, NavLink, ScrollArea } from '@mantine/core'
import {
  BookIcon,
  DownloadIcon,
  GearIcon,
  GraphIcon,
  HomeIcon,
  KeyIcon,
  ListUnorderedIcon,
  LockIcon,
  OrganizationIcon,
  PeopleIcon,
  PlugIcon,
  PulseIcon,
  ShieldLockIcon,
  StackIcon,
  UploadIcon,
  WebhookIcon,
} from '@primer/octicons-react'
import { Link, useLocation, useParams } from '@tanstack/react-router'
import { useTroubledEndpoints } from '../api/endpoints.ts'
import { useSession } from '../session.tsx'
import { useWords } from '../words/index.tsx'

/**
 * On a narrow screen the menu covers the page. `onNavigate` closes it, or the chosen screen would stay hidden behind
 * it.
 */
export function MainMenu({ onNavigate }: { onNavigate: () => void }) {
  const { bulk, nav, service, webhooks } = useWords()
  const { seesAllStores } = useSession()
  const { store } = useParams({ strict: false })
  const { pathname } = useLocation()
  const hasTrouble = useTroubledEndpoints(store).length > 0
  const storePath = store === undefined ? undefined : `/s/${encodeURIComponent(store)}`
  const storeLinks = [
    { path: '', label: nav.overview, Icon: HomeIcon },
    { path: '/users', label: nav.users, Icon: PeopleIcon },
    { path: '/accesses', label: nav.accesses, Icon: LockIcon },
    { path: '/bulk-changes', label: bulk.list, Icon: StackIcon },
    { path: '/import', label: nav.import, Icon: UploadIcon },
    { path: '/export', label: nav.export, Icon: DownloadIcon },
    { path: '/products', label: nav.products, Icon: BookIcon },
    { path: '/custom-fields', label: nav.customFields, Icon: ListUnorderedIcon },
    { path: '/tokens', label: nav.tokens, Icon: KeyIcon },
    { path: '/webhooks', label: nav.webhooks, Icon: WebhookIcon, ...(hasTrouble && { trouble: webhooks.trouble }) },
    { path: '/events', label: nav.events, Icon: PulseIcon },
    { path: '/settings', label: nav.settings, Icon: GearIcon },
  ]
  const serviceLinks = [
    { path: '/stores', label: nav.stores, Icon: OrganizationIcon },
    // The service rejects these for an operator who is limited to stores.
    ...(seesAllStores
      ? [
          { path: '/operators', label: nav.operators, Icon: ShieldLockIcon },
          { path: '/status', label: service.title, Icon: GraphIcon },
        ]
      : []),
  ]
  const isCurrent = (path: string) =>
    path === storePath ? pathname.replace(/\/$/, '') === path : pathname === path || pathname.startsWith(`${path}/`)
  const link = (to: string, { label, Icon, trouble }: { label: string; Icon: typeof HomeIcon; trouble?: string }) => (
    <NavLink
      key={to}
      component={Link}
      to={to}
      activeOptions={{ exact: to === storePath }}
      onClick={onNavigate}
      label={label}
      leftSection={<Icon size={18} aria-hidden />}
      active={isCurrent(to)}
      rightSection={trouble !== undefined && <Dot label={trouble} />}
      {...(isCurrent(to) && { 'aria-current': 'page' as const })}
    />
  )
  return (
    <ScrollArea>
      {storePath !== undefined && (
        <>
          {storeLinks.map(({ path, ...shown }) => link(storePath + path, shown))}
          <Divider my="sm" />
        </>
      )}
      {serviceLinks.map(({ path, ...shown }) => link(path, shown))}
      <NavLink component="a" href="/docs" label={nav.reference} leftSection={<PlugIcon size={18} aria-hidden />} />
    </ScrollArea>
  )
}

/** The color only repeats what the label says. */
function Dot({ label }: { label: string }) {
  return <Box w={10} h={10} bg="red" role="img" aria-label={label} title={label} style={{ borderRadius: '50%' }} />
}
