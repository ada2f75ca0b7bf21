/**
 * Counts the note while it is typed, as the server will: line breaks as one character, blank ends not at all, code
 * points. The page works without it, and the paragraph that it fills is hidden until then.
 */
export const NOTE_SCRIPT = `(() => {
  const note = document.getElementById('note');
  const count = document.getElementById('count');
  const most = Number(count.dataset.most);
  const show = () => {
    const length = [...note.value.replace(/\\r\\n?/g, '\\n').trim()].length;
    const text = length > most ? count.dataset.overlong : count.dataset.counted;
    count.textContent = text.replace('#', length).replace('~', length - most);
    count.className = length > most ? 'count problem' : 'count';
    count.setAttribute('aria-live', length > most - 50 ? 'polite' : 'off');
  };
  note.addEventListener('input', show);
  count.hidden = false;
  show();
})();`;
