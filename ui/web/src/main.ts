import { mount } from 'svelte'
import App from './app/App.svelte'
import { store } from './data/store.svelte'
import './style/app.css'

// The code is taken and the address bar cleared before anything is drawn.
const code = /^#login=([A-Za-z0-9_-]+)$/.exec(location.hash)?.[1] ?? ''
if (code !== '') history.replaceState(null, '', location.pathname + location.search)
void store.enter(code)

mount(App, { target: document.getElementById('app')! })
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible' && store.entry === 'out') void store.enter('')
})
