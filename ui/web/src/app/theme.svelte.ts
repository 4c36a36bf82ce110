// Light, dark or as the system says; kept in the browser.
export type Theme = 'system' | 'light' | 'dark'
const KEPT = 'fairlead.theme'

class Look {
  theme = $state<Theme>((localStorage.getItem(KEPT) as Theme | null) ?? 'system')
  calm = $state(localStorage.getItem('fairlead.calm') === 'yes')
  dense = $state(localStorage.getItem('fairlead.dense') === 'yes')

  constructor() {
    this.show()
  }

  choose(theme: Theme): void {
    this.theme = theme
    localStorage.setItem(KEPT, theme)
    this.show()
  }

  pack(dense: boolean): void {
    this.dense = dense
    localStorage.setItem('fairlead.dense', dense ? 'yes' : 'no')
  }

  still(calm: boolean): void {
    this.calm = calm
    localStorage.setItem('fairlead.calm', calm ? 'yes' : 'no')
  }

  private show(): void {
    document.documentElement.dataset.theme = this.theme
  }
}
export const look = new Look()
