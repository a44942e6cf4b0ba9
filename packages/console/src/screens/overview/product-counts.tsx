import { Card, Table, Text, Title } from '@mantine/core'
import type { Schemas } from '../../api/client.ts'
import { TextLink } from '../../parts/links.tsx'
import { useLanguage, useWords } from '../../words/index.tsx'
import classes from './product-counts.module.css'

interface Props {
  store: string
  products: Schemas['Stats']['products']
}

/** The products with the most accesses. Each number is a link to the accesses that it counts. */
export function ProductCounts({ store, products }: Props) {
  const { overview } = useWords()
  const most = Math.max(1, ...products.map(({ accesses }) => accesses))
  return (
    <Card withBorder>
      <Title order={2} size="sm" mb="xs">
        {overview.byProduct}
      </Title>
      <Table className={classes['table'] ?? ''} aria-label={overview.byProduct} verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{overview.product}</Table.Th>
            <Table.Th className={classes['number'] ?? ''}>{overview.accesses}</Table.Th>
            <Table.Th className={classes['number'] ?? ''}>{overview.ofThemInForce}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {products.map(({ id, name, accesses, in_force }) => (
            <Table.Tr key={id}>
              <Table.Td>
                <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                  {name}
                </Text>
                {/* The numbers say the same. */}
                <div className={classes['track']} aria-hidden style={{ width: `${(100 * accesses) / most}%` }}>
                  <div className={classes['bar']} style={{ width: `${(100 * in_force) / Math.max(1, accesses)}%` }} />
                </div>
              </Table.Td>
              <Table.Td className={classes['number'] ?? ''}>
                <Count store={store} search={{ product: id }} of={`${name}, ${overview.accesses}`} count={accesses} />
              </Table.Td>
              <Table.Td className={classes['number'] ?? ''}>
                <Count
                  store={store}
                  search={{ product: id, state: 'in_force' }}
                  of={`${name}, ${overview.inForce}`}
                  count={in_force}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  )
}

interface CountProps {
  store: string
  search: { product: string; state?: 'in_force' }
  of: string
  count: number
}

function Count({ store, search, of, count }: CountProps) {
  const { language } = useLanguage()
  const text = count.toLocaleString(language)
  return (
    <TextLink inherit to="/s/$store/accesses" params={{ store }} search={search} aria-label={`${of}: ${text}`}>
      {text}
    </TextLink>
  )
}
