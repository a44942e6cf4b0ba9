import { Button } from '@mantine/core'
import { Link, Navigate } from '@tanstack/react-router'
import { useAllStores } from '../api/stores.ts'
import { Empty } from '../parts/empty.tsx'
import { FailureNote } from '../parts/failure-note.tsx'
import { Screen } from '../parts/screen.tsx'
import { Loading } from '../parts/loading.tsx'
import { useWords } from '../words/index.tsx'

/** Opens the first store. */
export function Home() {
  const words = useWords()
  const { data: stores, error, refetch } = useAllStores()
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
