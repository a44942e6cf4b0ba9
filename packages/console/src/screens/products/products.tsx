import { Text } from '@mantine/core'
import { STATS } from '../../../../../src/modules/statistics/limits.ts'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { useStats } from '../../api/stats.ts'
import { TextLink } from '../../parts/links.tsx'
import { Moment } from '../../parts/moment.tsx'
import type { Column } from '../../parts/page-table.tsx'
import { ResourceScreen } from '../../parts/resource-screen.tsx'
import { useSession } from '../../session.tsx'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'
import { ProductForm } from './product-form.tsx'

type Product = Schemas['Product']

export function Products() {
  const { products } = useWords()
  const store_id = useStore()
  return (
    <ResourceScreen
      title={products.title}
      none={products.none}
      name={['products', store_id]}
      list={(query) => bodyOf(api.GET('/admin/stores/{store_id}/products', { params: { path: { store_id }, query } }))}
      columns={useColumns(store_id)}
      keyOf={({ id }) => id}
      mayChange={useSession().can('stores:write')}
      create={{ label: products.create }}
      edit={{ label: ({ name }) => products.edit(name) }}
      form={(product, close) => <ProductForm store={store_id} product={product} onClose={close} />}
      remove={{
        label: ({ name }) => products.delete(name),
        warning: () => products.deleteHint,
        send: ({ id }) => api.DELETE('/admin/stores/{store_id}/products/{id}', { params: { path: { store_id, id } } }),
        done: products.deleted,
      }}
    />
  )
}

function useColumns(store: string): Column<Product>[] {
  const { common, lists, products } = useWords()
  const { data: stats } = useStats(store)
  return [
    {
      head: common.name,
      cell: ({ id, name }) => (
        <TextLink
          inherit
          to="/s/$store/accesses"
          params={{ store }}
          search={{ product: id }}
          title={products.showAccesses}
        >
          {name}
        </TextLink>
      ),
    },
    { head: products.slug, width: '14%', cell: ({ slug }) => slug },
    { head: products.type, width: '10%', cell: ({ type }) => type },
    {
      head: products.duration,
      width: '10%',
      cell: ({ expiration_days: days }) => (days === null ? products.noLimit : products.days(days)),
    },
    {
      head: lists.accessesHead,
      width: '15%',
      cell: ({ id }) => {
        const counts = stats?.products.find((counted) => counted.id === id)
        if (counts) return lists.accessesOfProduct(counts.accesses, counts.in_force)
        return stats && <NotCounted />
      },
    },
    { head: common.created, width: '17%', cell: ({ created_at }) => <Moment at={created_at} /> },
    { head: common.id, width: '6%', cell: ({ id }) => id },
  ]
}

/** Only the products with the most accesses are counted. A blank cell would be taken for one without accesses. */
function NotCounted() {
  const { lists } = useWords()
  return (
    <Text span size="xs" c="dimmed">
      {lists.notCounted(STATS.products)}
    </Text>
  )
}
