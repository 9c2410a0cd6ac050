// What the page can do beyond HTML: addresses of this server in the commands, copying, finding.
for (const place of document.querySelectorAll('[data-origin]')) place.textContent = location.origin;

const said = document.querySelector('[role=status]');
for (const button of document.querySelectorAll('button[data-copy]')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const text = button.closest('.sample').querySelector('pre').textContent;
    let done = 'Copied';
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Without a secure connection there is no clipboard: the text is selected instead.
      getSelection().selectAllChildren(button.closest('.sample').querySelector('pre'));
      done = 'Selected';
    }
    button.textContent = done;
    said.textContent = done;
    setTimeout(() => { button.textContent = 'Copy'; said.textContent = ''; }, 2000);
  });
}

const search = document.querySelector('.search');
search.hidden = false;
search.querySelector('input').addEventListener('input', ({ target }) => {
  const words = target.value.toLowerCase().split(/\s+/);
  for (const group of document.querySelectorAll('.side [data-group]')) {
    for (const item of group.querySelectorAll('li')) {
      const text = item.textContent.toLowerCase();
      item.hidden = !words.every((word) => text.includes(word));
    }
    group.hidden = !group.querySelector('li:not([hidden])');
  }
});

const links = new Map([...document.querySelectorAll('.side li a')].map((link) => [link.hash.slice(1), link]));
const watcher = new IntersectionObserver((seen) => {
  for (const { target, isIntersecting } of seen) {
    if (!isIntersecting) continue;
    for (const link of links.values()) link.removeAttribute('aria-current');
    links.get(target.id)?.setAttribute('aria-current', 'true');
  }
}, { rootMargin: '-10% 0px -80%' });
for (const operation of document.querySelectorAll('.operation')) watcher.observe(operation);
