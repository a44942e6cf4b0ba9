/**
 * An operator at a screen: uses the console only through what is visible in it, and counts every click, every field and
 * every key.
 */
import type { FileChooser, Locator, Page } from 'playwright-core'

/** The keystroke-level model of Card, Moran and Newell, in seconds. */
const KLM = { think: 1.35, point: 1.1, press: 0.2, toKeyboard: 0.4, key: 0.28 }

type Role = Parameters<Page['getByRole']>[0]

export class Hands {
  readonly page: Page
  clicks = 0
  fields = 0
  keys = 0

  constructor(page: Page) {
    this.page = page
  }

  /** Clicks the only visible element with this role and name. `within` narrows the search. */
  async click(role: Role, name: string | RegExp, within: Page | Locator = this.page): Promise<void> {
    await this.clickOn(within.getByRole(role, { name, exact: true }))
  }

  async clickOn(target: Locator): Promise<void> {
    this.clicks++
    await target.click()
  }

  /** Replaces the text of the field. */
  async type(label: string | RegExp, text: string, within: Page | Locator = this.page): Promise<void> {
    const field = within
      .getByRole('textbox', { name: label, exact: true })
      .or(within.getByRole('searchbox', { name: label, exact: true }))
    this.fields++
    this.keys += text.length
    await field.click()
    await field.selectText()
    await field.pressSequentially(text)
  }

  async press(key: string): Promise<void> {
    this.keys++
    await this.page.keyboard.press(key)
  }

  /** Opens the menu with this label and chooses an option. */
  async choose(label: string, option: string, within: Page | Locator = this.page): Promise<void> {
    await this.clickOn(within.getByRole('combobox', { name: label, exact: true }))
    await this.click('option', option)
  }

  /** A menu of the browser itself, which no script can open. */
  async chooseNative(label: string, option: string, within: Page | Locator = this.page): Promise<void> {
    this.clicks += 2
    await within.getByLabel(label, { exact: true }).selectOption({ label: option })
  }

  /** In the dialog of the system, the operator clicks on the file and on Open. */
  async chooseFile(button: string, file: Parameters<FileChooser['setFiles']>[0]): Promise<void> {
    const [chooser] = await Promise.all([
      this.page.waitForEvent('filechooser'),
      // The input for files, which is not visible, has the same name.
      this.clickOn(this.page.locator('button', { hasText: button })),
    ])
    this.clicks += 2
    await chooser.setFiles(file)
  }

  /** Downloads a file. In the dialog of the system, the operator clicks on Save. */
  async saveFile(button: string): Promise<string> {
    const [download] = await Promise.all([this.page.waitForEvent('download'), this.click('button', button)])
    this.clicks++
    return download.path()
  }

  /** How long a practiced person takes for the same actions, without the time in which the console works. */
  get personSeconds(): number {
    const click = KLM.think + KLM.point + KLM.press
    return this.clicks * click + this.fields * (click + KLM.toKeyboard) + this.keys * KLM.key
  }
}
