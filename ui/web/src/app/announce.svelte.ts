// What a screen reader is told of changes: politely, one message in five seconds.
const PAUSE = 5000

class Announcer {
  text = $state('')
  private next = ''
  private timer: number | undefined

  say(text: string): void {
    this.next = text
    if (this.timer !== undefined) return
    this.flush()
    this.timer = window.setTimeout(() => {
      this.timer = undefined
      if (this.next !== '') this.say(this.next)
    }, PAUSE)
  }

  private flush(): void {
    this.text = this.next
    this.next = ''
  }
}
export const announcer = new Announcer()
