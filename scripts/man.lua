-- Filter of pandoc for manual pages: see scripts/man.sh.
--
-- Words in code type become bold, as manuals have them: a page of plain text
-- knows no other type.  What is bold or italic is typed by somebody, and so are
-- numbers: there a - is a minus sign (\-), which can be copied into a shell,
-- and no hyphen.  Blocks of code become examples (.EX) for the same reason:
-- pandoc's own would also turn ' and ` into quotation marks.

local minus = pandoc.RawInline("man", "\\-")

-- The pieces of `text` with every - that `pattern` finds as a minus sign.
local function with_minus(text, pattern)
  local pieces, from = {}, 1
  while true do
    local first, last = text:find(pattern, from)
    if not first then break end
    if first > from then pieces[#pieces + 1] = pandoc.Str(text:sub(from, first - 1)) end
    pieces[#pieces + 1] = minus
    from = last + 1
  end
  if from <= #text then pieces[#pieces + 1] = pandoc.Str(text:sub(from)) end
  return pieces
end

local typed = { Str = function(s) return with_minus(s.text, "%-") end }
local number = { Str = function(s) return with_minus(s.text, "%f[%-]%-%f[%d]") end }

-- Two dots and more end no sentence, which would be followed by two blanks.
local dots = { Str = function(s)
  return s.text:find("%.%.[%)%]\"']*$") and { s, pandoc.RawInline("man", "\\&") }
end }

local function as_typed(inline) return pandoc.walk_inline(inline, typed) end

local shown = {
  ["\\"] = "\\e", ["'"] = "\\(aq", ["`"] = "\\(ga", ["^"] = "\\(ha", ["~"] = "\\(ti", ["-"] = "\\-",
}

-- A line of roff that prints exactly `line`.
local function literal(line)
  line = line:gsub("[\\'`%^~%-]", shown)
  return line:match("^%.") and "\\&" .. line or line
end

local function example(block)
  local lines = {}
  for line in (block.text .. "\n"):gmatch("(.-)\n") do
    lines[#lines + 1] = literal(line)
  end
  return pandoc.RawBlock("man", ".PP\n.RS 4\n.EX\n" .. table.concat(lines, "\n") .. "\n.EE\n.RE")
end

local function bold(code)
  return pandoc.Strong(pandoc.Str(code.text))
end

-- Under NAME, "page - what it is": the name is typed, the dash a minus sign.
local function name_line(blocks)
  for i, block in ipairs(blocks) do
    if block.t == "Header" and pandoc.utils.stringify(block) == "NAME" and blocks[i + 1] then
      local name = true
      blocks[i + 1] = pandoc.walk_block(blocks[i + 1], { Str = function(s)
        local was = name
        if s.text == "-" then name = false end
        if was then return with_minus(s.text, "%-") end
      end })
    end
  end
  return blocks
end

return {
  { Code = bold, CodeBlock = example, Blocks = name_line },
  number,
  dots,
  { Strong = as_typed, Emph = as_typed },
}
