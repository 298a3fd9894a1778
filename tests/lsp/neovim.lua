-- What Neovim shows of the small project, as JSON: it is set up as the how-to page says.
local function wait(condition)
  assert(vim.wait(30000, condition, 20), "Neovim waited in vain: " .. debug.traceback())
end
local function lines() return vim.api.nvim_buf_get_lines(0, 0, -1, false) end
local function put(old, new)
  local changed = vim.tbl_map(function(line) return (line:gsub(old, new)) end, lines())
  vim.api.nvim_buf_set_lines(0, 0, -1, false, changed)
end
local function open(name)
  vim.cmd.edit(name)
  wait(function()
    local client = vim.lsp.get_clients({ bufnr = 0 })[1]
    return client and client.initialized
  end)
end
local function codes()
  return vim.tbl_map(function(finding) return finding.code end, vim.diagnostic.get(0))
end

local function wait_for(code)
  wait(function() return vim.tbl_contains(codes(), code) end)
end

local shown = {}
vim.cmd("filetype on")
open("cards.yaml")

vim.lsp.inlay_hint.enable(true)
wait(function() return #vim.lsp.inlay_hint.get({ bufnr = 0 }) > 0 end)
shown.hints = vim.tbl_map(function(hint) return hint.inlay_hint.label end, vim.lsp.inlay_hint.get({ bufnr = 0 }))

wait(function() return vim.fn.foldlevel(3) > 0 end)
vim.cmd("normal! zM")
shown.fold = { vim.fn.foldclosed(3), vim.fn.foldclosedend(3) }
vim.cmd("normal! zR")

local opened
vim.ui.open = function(target) opened = target end
vim.api.nvim_buf_set_lines(0, 0, 1, false, { "# opforge: ignore-file[adds-nothing] Füchse 🎯" })
vim.api.nvim_win_set_cursor(0, { 1, 25 })
vim.cmd.normal("gl")
wait(function() return opened end)
shown.page = opened

wait_for("unused-suppression")
put("%+2 AP", "+0 AP")
wait(function() return #codes() == 0 end)
put("%+3 AP", "+3 APP")
wait_for("unknown-stat")
shown.findings = codes()
shown.about = vim.diagnostic.get(0)[1].user_data.lsp.codeDescription.href

vim.api.nvim_buf_set_lines(0, 0, 1, false, { "# opforge: ignore-file[" })
local params = { textDocument = vim.lsp.util.make_text_document_params(), position = { line = 0, character = 23 } }
local client = vim.lsp.get_clients({ bufnr = 0 })[1]
local offered = client:request_sync("textDocument/completion", params, 30000).result.items
shown.offered = vim.tbl_map(function(item) return item.label end, { offered[1], offered[2] })

put("kind: attack", "kind:   attack")
vim.fn.cursor(vim.fn.search("id: ambush"), 1)
vim.cmd("normal! gqq")
shown.untidy = #vim.tbl_filter(function(line) return line:match("kind:   attack") end, lines())

open("new.yaml")
vim.api.nvim_buf_set_lines(0, 0, -1, false, { "cards:", "  - {id: viper, kind: attack}" })
wait_for("duplicate-id")

io.stdout:write(vim.json.encode(shown))
vim.cmd("qa!")
