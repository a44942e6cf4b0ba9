import { useStoreName } from '../../api/stores.ts'
import { DownloadButton } from '../../parts/download-button.tsx'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'
import { useShown } from '../export/use-shown.ts'
import { fileNameOf, sheetOf, workbookOf } from '../export/workbook.ts'
import type { User } from './draft.ts'

/** The selected users as a workbook, in the order in which they were selected. */
export function SelectionDownload({ users }: { users: User[] }) {
  const words = useWords()
  const store = useStoreName(useStore())
  const shown = useShown()
  async function* rows() {
    yield* users
  }
  return (
    <DownloadButton
      size="xs"
      label={words.users.downloadSelected}
      name={fileNameOf([store, words.users.selected], 'xlsx')}
      make={async () => {
        const { userColumns } = await import('../export/sheets.ts')
        const sheet = await sheetOf({ title: words.users.title, columns: userColumns(await shown()), rows: rows() })
        return new Blob([await workbookOf([sheet])])
      }}
    />
  )
}
