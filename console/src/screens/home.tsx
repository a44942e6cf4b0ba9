import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, Navigate } from '@tanstack/react-router'
import { listAllStores } from '../api/stores.ts'
import { Empty } from '../parts/empty.tsx'
import { FailureNote } from '../parts/failure-note.tsx'
import { Screen } from '../parts/screen.tsx'
import { Loading } from '../parts/loading.tsx'
import { useWords } from '../words/index.tsx'

/** Opens the first store. */
export function Home() {
  const words = useWords()
  const { data: stores, error, refetch } = useQuery({ queryKey: ['stores', 'all'], queryFn: listAllStores })
  if (error) return <FailureNote error={error} retry={() => void refetch()} />
  if (!stores) {
    return <Loading />
  }
  const [first] = stores
  if (first) return <Navigate to="/s/$store" params={{ store: first.id }} replace />
  return (
    <Screen title={words.nav.stores}>
      <Empty text={words.stores.none}>
        <Button component={Link} to="/stores">
          {words.stores.createFirst}
        </Button>
      </Empty>
    </Screen>
  )
}
