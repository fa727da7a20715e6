import Tool

await ToolProgram.main()
