  // What the scripts of all pages begin with.
  const data = JSON.parse(document.getElementById('data').textContent);
  const by = id => document.getElementById(id);
  const format = count => count.toLocaleString('en');
  const counted = (count, thing) => `${format(count)} ${thing}${count === 1 ? '' : 's'}`;
  const column = col => (col < 26 ? '' : column(Math.floor(col / 26) - 1)) + String.fromCharCode(97 + col % 26);
  const name = (board, square) => column(square % board.cols) + (Math.floor(square / board.cols) + 1);
  function element(parent, tag, attributes, text) {
    const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const key in attributes) made.setAttribute(key, attributes[key]);
    if (text !== undefined) made.textContent = text;
    return parent ? parent.appendChild(made) : made;
  }
