/** The style sheet of every page; the pages' policy names its hash. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1a1f26; --muted: #55606e; --line: #d9dee5; --ground: #f4f6f8; --link: #1f5f8b }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8ecf1; --muted: #a9b4c0; --line: #37414c; --ground: #14181d; --link: #8cc4ee }
}
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif }
main { max-width: 46rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere }
header { display: flex; flex-wrap: wrap; gap: 1rem; align-items: center; justify-content: space-between }
h1 { font-size: 1.4rem; line-height: 1.3; margin: .8rem 0 }
h2 { font-size: 1rem; margin: 1.5rem 0 .5rem }
a { color: var(--link) }
.muted { color: var(--muted) }
ol { list-style: none; margin: 0; padding: 0 }
li { display: grid; gap: .1rem; padding: .8rem 0; border-top: 1px solid var(--line) }
li a { font-weight: 600 }
.people, time { font-size: .9rem }
button { font: inherit; padding: .5rem 1rem; border: 1px solid var(--line); border-radius: .4rem; background: none;
  color: inherit; cursor: pointer }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: 0 }
dt { color: var(--muted) }
dd { margin: 0 }
iframe { width: 100%; height: 64rem; border: 1px solid var(--line); border-radius: .4rem; background: #fff }
pre { margin: 0; padding: 1rem; border: 1px solid var(--line); border-radius: .4rem; white-space: pre-wrap;
  font: .85rem/1.5 ui-monospace, monospace }
@media (prefers-color-scheme: dark) { iframe { background: #14181d } }
`;
