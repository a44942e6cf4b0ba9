import { useStoreName } from '../../api/stores.ts'
import { DownloadButton } from '../../parts/download-button.tsx'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'
import { useShown } from '../export/use-shown.ts'
import { fileNameOf } from '../export/workbook.ts'
import type { User } from '../users/draft.ts'
import { fullName } from '../users/selection.tsx'

/** Everything about the person, for the person who asks what the store has, and before an erasure. */
export function PersonDownload({ user }: { user: User }) {
  const words = useWords()
  const store = useStore()
  const name = useStoreName(store)
  const shown = useShown()
  return (
    <DownloadButton
      label={words.user.downloadAll}
      name={fileNameOf([name, fullName(user)], 'xlsx')}
      make={async () => {
        const { personFile } = await import('./person-file.ts')
        return personFile(store, user, await shown())
      }}
    />
  )
}
