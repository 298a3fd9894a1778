() => {
  // What is wrong with a page for those who use it without a mouse, or with weak eyes.
  const wrong = [];
  const visible = one => one.checkVisibility({visibilityProperty: true}) && !one.closest('.unseen');
  const name = one => (one.getAttribute('aria-label') || one.textContent || one.title || one.placeholder || '').trim()
    || [...(one.labels ?? [])].map(label => label.textContent.trim()).join('')
    || one.querySelector('img')?.alt;
  for (const one of document.querySelectorAll('a, button, input, select, textarea, summary, iframe, dialog[open]'))
    if (visible(one) && !name(one) && one.tagName !== 'DIALOG') wrong.push('no name: ' + one.outerHTML.slice(0, 120));
  for (const one of document.querySelectorAll('img')) if (!one.hasAttribute('alt')) wrong.push('no alt: ' + one.src);
  if (document.querySelectorAll('h1').length !== 1) wrong.push('h1: ' + document.querySelectorAll('h1').length);
  const ids = [...document.querySelectorAll('[id]')].map(one => one.id);
  for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) wrong.push('id twice: ' + id);

  const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const rgba = colour => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], ground) => [r, g, b].map((one, at) => one * a + ground[at] * (1 - a));
  const ground = one => {
    const layers = [];
    for (let at = one; at; at = at.parentElement) layers.unshift(rgba(getComputedStyle(at).backgroundColor));
    return layers.reduce((under, layer) => over(layer, under), [255, 255, 255]);
  };
  const light = colour => colour.map(one => one / 255)
    .map(one => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
    .reduce((sum, one, at) => sum + one * [0.2126, 0.7152, 0.0722][at], 0);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const one = text.parentElement;
    if (!text.data.trim() || !visible(one) || one.closest('iframe, option, :disabled, [aria-hidden=true]')) continue;
    const style = getComputedStyle(one);
    if (parseFloat(style.fontSize) < 12) wrong.push(`${style.fontSize}: ${text.data.trim().slice(0, 40)}`);
    const under = ground(one);
    let opacity = 1;
    for (let at = one; at; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
    const [r, g, b, a] = rgba(style.color);
    const [first, second] = [light(over([r, g, b, a * opacity], under)), light(under)];
    const ratio = (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
    if (ratio < 4.5) wrong.push(`${ratio.toFixed(2)}: ${text.data.trim().slice(0, 40)} (${one.className || one.tagName})`);
  }
  return [...new Set(wrong)];
}
